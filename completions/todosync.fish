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
