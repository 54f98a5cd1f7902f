
# The folder that a typed word stands for: without its quotes, and with the home folder for `~`.
_ckpt_folder() {
    local word="${1/#\~/$HOME}" folder="" quote="" c
    while [[ -n "${word}" ]]; do
        c="${word:0:1}"
        word="${word:1}"
        if [[ -n "${quote}" && "${c}" == "${quote}" ]]; then
            quote=""
        elif [[ -z "${quote}" && ("${c}" == "'" || "${c}" == '"') ]]; then
            quote="${c}"
        elif [[ "${c}" == "\\" && "${quote}" != "'" ]]; then
            folder+="${word:0:1}"
            word="${word:1}"
        else
            folder+="${c}"
        fi
    done
    printf '%s' "${folder}"
}

# The selectors of the project's checkpoints, newest first; with --branches the branches that they were saved on.
_ckpt_selectors() {
    local i dir root=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        dir=""
        case "${COMP_WORDS[i]}" in
            -C | --project-root)
                # Bash makes a word of its own of `=`.
                [[ "${COMP_WORDS[i + 1]}" == "=" ]] && ((i++))
                ((++i < COMP_CWORD)) && dir="${COMP_WORDS[i]}"
                ;;
            --project-root=*) dir="${COMP_WORDS[i]#*=}" ;;
            -C?*) dir="${COMP_WORDS[i]#-C}" ;;
        esac
        if [[ -n "${dir}" ]]; then
            root=(-C "$(_ckpt_folder "${dir}")")
        fi
    done
    command ckpt ${root[@]+"${root[@]}"} __selectors "$@" 2>/dev/null | cut -f 1
}

# Adds selectors to what the definitions of the command line give.
_ckpt_with_selectors() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD - 1]}" i word
    _ckpt "$@"
    if [[ "${cur}" == "=" ]]; then
        cur=""
    elif [[ "${prev}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD - 2]}"
    fi
    case "${prev}" in
        @SELECTOR_OPTIONS@)
            COMPREPLY=($(compgen -W "$(_ckpt_selectors)" -- "${cur}"))
            return
            ;;
        @BRANCH_OPTIONS@)
            COMPREPLY=($(compgen -W "$(_ckpt_selectors --branches)" -- "${cur}"))
            return
            ;;
        @VALUE_OPTIONS@)
            return
            ;;
    esac
    if [[ "${cur}" == -* ]]; then
        return
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word="${COMP_WORDS[i]}"
        case "${word}" in
            @VALUE_OPTIONS@)
                [[ "${COMP_WORDS[i + 1]}" == "=" ]] && ((i++))
                ((i++))
                ;;
            -*) ;;
            @COMMANDS@)
                COMPREPLY=($(compgen -W "$(_ckpt_selectors)" -- "${cur}"))
                return
                ;;
            *)
                return
                ;;
        esac
    done
}
