import TestSupport

/// Runs a shell's commands in a folder of todos inside a git repository.
///
/// `site` creates the repository: a commit without todos (the branch `empty`), one with three todos, and one
/// that changes `t1`; all are synced. Later commands run in the folder of todos.
enum GitShell {
    private static let preparation = #"""
        unset TODOSYNC_SEED
        home=$PWD
        export GIT_CONFIG_GLOBAL="$home/gitconfig"
        git config --global user.name U
        git config --global user.email u@example.com
        git config --global init.defaultBranch main
        git config --global advice.detachedHead false
        git config --global protocol.file.allow always
        git config --global uploadpack.allowFilter true
        todosync init --quiet --bare store
        site() {
            git init --quiet "$@" "$home/site"
            cd "$home/site"
            echo code > code
            git add code; git commit --quiet -m code; git branch empty
            todos "${folder:-todos}"
        }
        todos() {
            todosync clone --quiet "$home/store" "./$1"
            cd "./$1"
            for number in 1 2 3; do printf 'id: t%s\ntext: t%s\n' $number $number > t$number.yaml; done
            git add .; git commit --quiet -m todos; todosync sync --quiet
            edit t1 new; git commit --quiet -am new; todosync sync --quiet
        }
        edit() { sed -i "s/text: .*/text: $2/" "$1.yaml"; }
        # Prints what a command says, without its hints, and its exit status.
        try() {
            timeout 30 todosync "$@" > "$home/output" 2>&1
            status=$?
            grep -v '^hint: ' "$home/output" | sed "s#$home/##g"
            echo "$1 $status"
        }
        sync() { try sync --quiet "$@"; }
        # Prints the texts that others get.
        remote() {
            rm -rf "$home/other"
            todosync clone --quiet "$home/store" "$home/other"
            echo "remote:" $(cat "$home"/other/*.yaml 2> /dev/null | sed -n 's/^text: //p')
        }

        """#

    /// Returns what the commands print.
    static func run(_ commands: String) throws -> String {
        let folder = try ThrowAwayFolder()
        return try Program.shell(
            preparation + commands, in: folder.path, environment: TestedEnvironment(home: folder.path)
        ).output
    }
}
