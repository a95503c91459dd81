#!/bin/bash

__todosync_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__todosync_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__todosync_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__todosync_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_todosync() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--quiet -q --verbose -v --no-pager --version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=(-C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    init|clone|remote|trust|git-setup|demo|add|list|next|show|edit|set|unset|tick|done|skip|reopen|mv|rm|purge|status|prompt|diff|discard|push|pull|sync|conflicts|resolve|resolutions|merge-file|log|undo|redo|restore|explain|gc|fsck|serve|help)
        # Offer subcommand argument completions
        "_todosync_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'init clone remote trust git-setup demo add list next show edit set unset tick done skip reopen mv rm purge status prompt diff discard push pull sync conflicts resolve resolutions merge-file log undo redo restore explain gc fsck serve help' -- "${cur}"))
        ;;
    esac
}

_todosync_init() {
    repeating_flags=()
    non_repeating_flags=(--bare --force --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=(--only)
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--only')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -d
        return
        ;;
    esac
}

_todosync_clone() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -d
        return
        ;;
    2)
        __todosync_add_completions -d
        return
        ;;
    esac
}

_todosync_remote() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|set-url|remove|login|logout)
        # Offer subcommand argument completions
        "_todosync_remote_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add set-url remove login logout' -- "${cur}"))
        ;;
    esac
}

_todosync_remote_add() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -W 'origin'
        return
        ;;
    2)
        __todosync_add_completions -d
        return
        ;;
    esac
}

_todosync_remote_set-url() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -W 'origin'
        return
        ;;
    2)
        __todosync_add_completions -d
        return
        ;;
    esac
}

_todosync_remote_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -W 'origin'
        return
        ;;
    esac
}

_todosync_remote_login() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_remote_logout() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_trust() {
    repeating_flags=()
    non_repeating_flags=(--remove --handler --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_git-setup() {
    repeating_flags=()
    non_repeating_flags=(--yes --undo --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_demo() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -d
        return
        ;;
    esac
}

_todosync_add() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=(--tag --field)
    non_repeating_options=(--due --every --priority --notes --file --lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--due')
        return
        ;;
    '--every')
        return
        ;;
    '--priority')
        return
        ;;
    '--tag')
        return
        ;;
    '--notes')
        return
        ;;
    '--file')
        __todosync_add_completions -f
        return
        ;;
    '--field')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_list() {
    repeating_flags=()
    non_repeating_flags=(--all --done --long -l --count --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--due-before --sort --limit -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--tag')
        return
        ;;
    '--due-before')
        return
        ;;
    '--sort')
        __todosync_add_completions -W 'due'$'\n''priority'$'\n''text'$'\n''path'
        return
        ;;
    '--limit')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_next() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--limit -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--limit')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_show() {
    repeating_flags=()
    non_repeating_flags=(--base --local --remote --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--at -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_edit() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_set() {
    repeating_flags=()
    non_repeating_flags=(--yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_unset() {
    repeating_flags=()
    non_repeating_flags=(--yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_tick() {
    repeating_flags=()
    non_repeating_flags=(--undo --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_done() {
    repeating_flags=()
    non_repeating_flags=(--yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_skip() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_reopen() {
    repeating_flags=()
    non_repeating_flags=(--yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_mv() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    2)
        __todosync_add_completions -f
        return
        ;;
    esac
}

_todosync_rm() {
    repeating_flags=()
    non_repeating_flags=(--yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_purge() {
    repeating_flags=()
    non_repeating_flags=(--undo --yes -n --dry-run --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--before')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_status() {
    repeating_flags=()
    non_repeating_flags=(--all -z --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--porcelain -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--porcelain')
        __todosync_add_completions -W 'v1'
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_prompt() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_diff() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_discard() {
    repeating_flags=()
    non_repeating_flags=(--yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_push() {
    repeating_flags=()
    non_repeating_flags=(-n --dry-run --during-git --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--allow-edits --on-conflict --allow-deletes --lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--allow-edits')
        return
        ;;
    '--on-conflict')
        __todosync_add_completions -W 'markers'$'\n''local'$'\n''remote'$'\n''prompt'
        return
        ;;
    '--allow-deletes')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_pull() {
    repeating_flags=()
    non_repeating_flags=(-n --dry-run --during-git --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--on-conflict --allow-deletes --lock-timeout -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--on-conflict')
        __todosync_add_completions -W 'markers'$'\n''local'$'\n''remote'$'\n''prompt'
        return
        ;;
    '--allow-deletes')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_sync() {
    repeating_flags=()
    non_repeating_flags=(--forward -n --dry-run --during-git --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--allow-edits --on-conflict --allow-deletes --lock-timeout -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--allow-edits')
        return
        ;;
    '--on-conflict')
        __todosync_add_completions -W 'markers'$'\n''local'$'\n''remote'$'\n''prompt'
        return
        ;;
    '--allow-deletes')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_conflicts() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_resolve() {
    repeating_flags=()
    non_repeating_flags=(--union --again --abort --interactive -i --adopt --dry-run --yes --no-input --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=(--field)
    non_repeating_options=(--use --tool --lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--use')
        __todosync_add_completions -W 'local'$'\n''remote'$'\n''base'
        return
        ;;
    '--field')
        return
        ;;
    '--tool')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_resolutions() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __todosync_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|forget)
        # Offer subcommand argument completions
        "_todosync_resolutions_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list forget' -- "${cur}"))
        ;;
    esac
}

_todosync_resolutions_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_resolutions_forget() {
    repeating_flags=()
    non_repeating_flags=(--all --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_merge-file() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=(-L)
    non_repeating_options=(--path -C --color)
    __todosync_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '-L')
        return
        ;;
    '--path')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -f
        return
        ;;
    2)
        __todosync_add_completions -f
        return
        ;;
    3)
        __todosync_add_completions -f
        return
        ;;
    esac
}

_todosync_log() {
    repeating_flags=()
    non_repeating_flags=(--oneline --all --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(-n --limit --since -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-n'|'--limit')
        return
        ;;
    '--since')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_undo() {
    repeating_flags=()
    non_repeating_flags=(--json -n --dry-run --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_redo() {
    repeating_flags=()
    non_repeating_flags=(--json -n --dry-run --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--lock-timeout -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_restore() {
    repeating_flags=()
    non_repeating_flags=(--all --json -n --dry-run --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --before --lock-timeout -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        return
        ;;
    '--before')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_explain() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--at -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __todosync_add_completions -o plusdirs -fX '!*.@(yaml|yml)'
        return
        ;;
    esac
}

_todosync_gc() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--keep --lock-timeout -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--keep')
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_fsck() {
    repeating_flags=()
    non_repeating_flags=(--repair --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--store --lock-timeout -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '--lock-timeout')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_serve() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=(--cors-origin --trusted-proxy)
    non_repeating_options=(--store --listen --tls-certificate --tls-key --rate-limit --connections-per-address -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '--listen')
        return
        ;;
    '--tls-certificate')
        __todosync_add_completions -f
        return
        ;;
    '--tls-key')
        __todosync_add_completions -f
        return
        ;;
    '--cors-origin')
        return
        ;;
    '--rate-limit')
        return
        ;;
    '--connections-per-address')
        return
        ;;
    '--trusted-proxy')
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    key|table)
        # Offer subcommand argument completions
        "_todosync_serve_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'key table' -- "${cur}"))
        ;;
    esac
}

_todosync_serve_key() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __todosync_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|revoke)
        # Offer subcommand argument completions
        "_todosync_serve_key_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list revoke' -- "${cur}"))
        ;;
    esac
}

_todosync_serve_key_add() {
    repeating_flags=()
    non_repeating_flags=(--anonymous --json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--access --table --store -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--access')
        __todosync_add_completions -W 'read'$'\n''write'$'\n''admin'
        return
        ;;
    '--table')
        return
        ;;
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_serve_key_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--store -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_serve_key_revoke() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--store -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_serve_table() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __todosync_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list)
        # Offer subcommand argument completions
        "_todosync_serve_table_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list' -- "${cur}"))
        ;;
    esac
}

_todosync_serve_table_add() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--store -C --color)
    __todosync_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_serve_table_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-pager --version -h --help)
    repeating_options=()
    non_repeating_options=(--store -C --color)
    __todosync_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __todosync_add_completions -d
        return
        ;;
    '-C')
        __todosync_add_completions -d
        return
        ;;
    '--color')
        __todosync_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_todosync_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __todosync_offer_flags_options -1
}

complete -o filenames -F _todosync todosync
