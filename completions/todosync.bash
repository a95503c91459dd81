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
