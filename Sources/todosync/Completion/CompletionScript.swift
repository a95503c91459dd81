/// The scripts that shells load to complete `todosync` command lines.
///
/// Each script asks todosync for the completions at the cursor, so it contains no list that could become
/// stale. The argument parser's own scripts show no descriptions in bash, print errors on the terminal, and
/// don't complete a word with a colon.
enum CompletionScript {
    /// The argument parser's option that prints a script.
    static let option = "--generate-completion-script"
    /// The first word of a script's question; it isn't the name of an option.
    static let question = "---complete"

    static func text(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static let bash = #"""
        # Completes the words of todosync in bash.
        # Written by: todosync --generate-completion-script bash

        _todosync() {
            local kind='' line
            COMPREPLY=()
            {
                IFS= read -r kind
                while IFS= read -r line; do COMPREPLY+=("$line"); done
            } < <(command todosync ---complete bash "${COMP_LINE:0:COMP_POINT}" "$2" "${COLUMNS:-80}" "${COMP_TYPE:-9}" 2> /dev/null)
            case $kind in
                words) compopt -o nosort 2> /dev/null ;;
                open) compopt -o nosort -o nospace 2> /dev/null ;;
                files) compopt -o default 2> /dev/null ;;
                folders) compopt -o filenames -o dirnames 2> /dev/null ;;
            esac
            return 0
        }

        complete -F _todosync todosync

        """#

    private static let zsh = #"""
        #compdef todosync
        # Completes the words of todosync in zsh.
        # Written by: todosync --generate-completion-script zsh

        _todosync() {
            local -a lines values shown options
            lines=("${(@f)$(command todosync ---complete zsh \
                "${(j: :)words[1,CURRENT-1]} ${QIPREFIX}${IPREFIX}${PREFIX}" 2> /dev/null)}")
            local kind=$lines[1]
            shift lines
            case $kind in
                files) _files; return ;;
                folders) _files -/; return ;;
                open) options=(-S '') ;;
            esac
            (( $#lines )) || return 1
            values=("${(@)lines%%$'\t'*}")
            shown=("${(@)lines#*$'\t'}")
            # A line each, if there is more to show than the words.
            [[ "$values" == "$shown" ]] || options+=(-l)
            compadd -V todosync "$options[@]" -d shown -a values
        }

        if [[ $funcstack[1] == _todosync ]]; then
            _todosync "$@"
        else
            compdef _todosync todosync
        fi

        """#

    private static let fish = #"""
        # Completes the words of todosync in fish.
        # Written by: todosync --generate-completion-script fish

        function __todosync_complete
            command -q todosync; or return
            set -l lines (command todosync ---complete fish (commandline -cp | string collect) 2> /dev/null)
            switch "$lines[1]"
                case files
                    __fish_complete_path (commandline -ct)
                case folders
                    __fish_complete_directories (commandline -ct) ''
                case '*'
                    test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
            end
        end

        complete -c todosync -f -k -a '(__todosync_complete)'

        """#
}

extension Interpreter {
    /// Returns the script that the arguments ask for, or the answer to a script's question; nil for other
    /// arguments.
    ///
    /// A question never causes an error message, which would appear in the line that the user types.
    func completionAnswer(_ arguments: [String]) -> String? {
        if arguments.count == 2, arguments[0] == CompletionScript.option {
            return CompletionShell(rawValue: arguments[1]).map(CompletionScript.text)
        }
        if arguments.count == 1, arguments[0].hasPrefix(CompletionScript.option + "=") {
            let name = arguments[0].dropFirst(CompletionScript.option.count + 1)
            return CompletionShell(rawValue: String(name)).map(CompletionScript.text)
        }
        guard arguments.first == CompletionScript.question else { return nil }
        guard arguments.count > 2, let shell = CompletionShell(rawValue: arguments[1]) else { return "" }
        let line = TypedLine(arguments[2])
        var process = process
        process.standardError = .none
        let answer = CompletionAnswer(Completer(line, process).completion, for: line)
        let lines =
            if shell == .bash {
                answer.bashLines(
                    typed: arguments.count > 3 ? arguments[3] : "",
                    columns: arguments.count > 4 ? Int(arguments[4]) ?? 80 : 80,
                    // The codes of `%` and `*` in bash's COMP_TYPE.
                    inserts: arguments.count > 5 && ["37", "42"].contains(arguments[5]))
            } else {
                answer.lines(for: shell)
            }
        return lines.joined(separator: "\n") + "\n"
    }
}
