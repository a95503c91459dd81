function __todosync_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __todosync_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __todosync_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __todosync_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __todosync_parse_tokens -S
    set -l unparsed_tokens (__todosync_tokens -pc)
    switch $unparsed_tokens[1]
    case 'todosync'
        __todosync_parse_subcommand 0 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'init'
            __todosync_parse_subcommand 1 'bare' 'only=+' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'clone'
            __todosync_parse_subcommand 2 'json' 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'remote'
            __todosync_parse_subcommand 0 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'add'
                __todosync_parse_subcommand 2 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
            case 'set-url'
                __todosync_parse_subcommand 2 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
            case 'remove'
                __todosync_parse_subcommand 1 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
            end
        case 'demo'
            __todosync_parse_subcommand 1 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'add'
            __todosync_parse_subcommand -r 1 'due=' 'priority=' 'tag=+' 'notes=' 'file=' 'field=+' 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'list'
            __todosync_parse_subcommand -r 1 'all' 'done' 'tag=+' 'due-before=' 'sort=' 'json' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'show'
            __todosync_parse_subcommand 1 'base' 'local' 'remote' 'json' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'edit'
            __todosync_parse_subcommand 1 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'set'
            __todosync_parse_subcommand -r 2 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'unset'
            __todosync_parse_subcommand -r 2 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'done'
            __todosync_parse_subcommand -r 1 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'reopen'
            __todosync_parse_subcommand -r 1 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'rm'
            __todosync_parse_subcommand -r 1 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'status'
            __todosync_parse_subcommand 0 'json' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'diff'
            __todosync_parse_subcommand -r 1 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'push'
            __todosync_parse_subcommand -r 1 'n/dry-run' 'on-conflict=' 'allow-deletes=' 'json' 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'pull'
            __todosync_parse_subcommand 0 'n/dry-run' 'on-conflict=' 'allow-deletes=' 'json' 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'sync'
            __todosync_parse_subcommand 0 'n/dry-run' 'on-conflict=' 'allow-deletes=' 'json' 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'resolve'
            __todosync_parse_subcommand -r 1 'use=' 'abort' 'i/interactive' 'json' 'lock-timeout=' 'C=' 'q/quiet' 'v/verbose' 'color=' 'version' 'h/help'
        case 'help'
            __todosync_parse_subcommand -r 1 'version'
        end
    end
end

function __todosync_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __todosync_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __todosync_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __todosync_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__todosync_tokens -p)
    if test -z "$(__todosync_tokens -t)"
        set -l index (count (__todosync_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'todosync' -f
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'init' -d 'Make a working directory, or with --bare a store.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'clone' -d 'Make a working directory with a remote\'s todos.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'remote' -d 'Show or change where todos are pushed to and pulled from.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'demo' -d 'Set up two working directories with a conflict to try things on.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'add' -d 'Write a new todo, or take up todo files.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'list' -d 'List the open todos.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'show' -d 'Print a todo\'s file, or another version of it.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'edit' -d 'Open a todo\'s file in your editor.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'set' -d 'Change fields of a todo.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'unset' -d 'Remove fields from a todo.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'done' -d 'Mark todos as done.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'reopen' -d 'Mark todos as open again.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'rm' -d 'Delete todos.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'status' -d 'Show what is pending, in conflict or invalid.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'diff' -d 'Show what changed since the base version, as a unified diff.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'push' -d 'Send pending changes to the remote.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'pull' -d 'Bring in the remote\'s changes.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'sync' -d 'Push and pull until both sides agree.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'resolve' -d 'Settle conflicts.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" bare' -l 'bare' -d 'Make a store instead of a working directory.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init"' -l 'only' -d 'Take only files that match this pattern for todos; can be given several times.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync init" -eq 1' -fa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync init" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync clone" -eq 1' -fa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync clone" -eq 2' -fa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync clone" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote" -eq 1' -fa 'add' -d 'Name the remote of a working directory that has none.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote" -eq 1' -fa 'set-url' -d 'Change the remote\'s URL.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote" -eq 1' -fa 'remove' -d 'Forget the remote.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote add" -eq 1' -fka 'origin'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote add" -eq 2' -fa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote set-url" -eq 1' -fka 'origin'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote set-url" -eq 2' -fa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote set-url" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync remote remove" -eq 1' -fka 'origin'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync remote remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync demo" -eq 1' -fa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync demo" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync demo" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync demo" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync demo" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync demo" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync demo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync add" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" due' -l 'due' -d 'A date as 2026-12-01, or an RFC 3339 time.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" priority' -l 'priority' -d 'high, medium or low.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add"' -l 'tag' -d 'A tag; can be given several times.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" notes' -l 'notes' -d 'Notes, of one line or more.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" file' -l 'file' -d 'The file to write.' -rF
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add"' -l 'field' -d 'Another field, as set takes it; can be given several times.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" all' -l 'all' -d 'List done todos, too.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" done' -l 'done' -d 'List done todos instead of open ones.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list"' -l 'tag' -d 'List only todos with this tag; can be given several times.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" due-before' -l 'due-before' -d 'List only todos that are due before this.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" sort' -l 'sort' -d 'What to sort by.' -rfka 'due priority text path'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync show" -eq 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" base' -l 'base' -d 'Print the base version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" local' -l 'local' -d 'Print the local version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" remote' -l 'remote' -d 'Print the remote\'s version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync edit" -eq 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync edit" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync edit" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync edit" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync edit" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync edit" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync edit" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync set" -eq 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync unset" -eq 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync unset" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync done" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync done" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync reopen" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync reopen" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync rm" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync rm" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync diff" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync diff" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync diff" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync diff" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync diff" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync diff" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync push" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" dry-run n' -s 'n' -l 'dry-run' -d 'Only say what would be done.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" on-conflict' -l 'on-conflict' -d 'What becomes of parts that both sides changed.' -rfka 'markers local remote prompt'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" allow-deletes' -l 'allow-deletes' -d 'Allow so many deletes at once.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync push" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" dry-run n' -s 'n' -l 'dry-run' -d 'Only say what would be done.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" on-conflict' -l 'on-conflict' -d 'What becomes of parts that both sides changed.' -rfka 'markers local remote prompt'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" allow-deletes' -l 'allow-deletes' -d 'Allow so many deletes at once.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync pull" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" dry-run n' -s 'n' -l 'dry-run' -d 'Only say what would be done.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" on-conflict' -l 'on-conflict' -d 'What becomes of parts that both sides changed.' -rfka 'markers local remote prompt'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" allow-deletes' -l 'allow-deletes' -d 'Allow so many deletes at once.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync sync" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_positional "todosync resolve" -ge 1' -fa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" use' -l 'use' -d 'Take this side where both changed.' -rfka 'local remote base'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" abort' -l 'abort' -d 'Bring back the local file as it was before the merge; it stays pending.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" i interactive' -l 'interactive' -s 'i' -d 'Ask at the terminal for each conflict.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" json' -l 'json' -d 'Print JSON, for programs.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" lock-timeout' -l 'lock-timeout' -d 'Wait at most so long while another todosync works here.' -rfka ''
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" C' -s 'C' -d 'Work as if started in this folder.' -rfa '(__todosync_complete_directories)'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" q quiet' -l 'quiet' -s 'q' -d 'Say only what was asked for and what needs you.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" v verbose' -l 'verbose' -s 'v' -d 'Say more: nothing is left out of long lists.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" color' -l 'color' -d 'Colour the output; auto is at a terminal only.' -rfka 'auto always never'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" version' -l 'version' -d 'Show the version.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync resolve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'todosync' -n '__todosync_should_offer_completions_for_flags_or_options "todosync help" version' -l 'version' -d 'Show the version.'
