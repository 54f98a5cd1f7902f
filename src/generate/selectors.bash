
# The selectors of the project's checkpoints, newest first.
_ckpt_selectors() {
    local i dir root=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ "${COMP_WORDS[i - 1]}" == @(-C|--project-root) ]]; then
            dir="${COMP_WORDS[i]}"
            root=(-C "${dir/#\~/$HOME}")
        fi
    done
    command ckpt ${root[@]+"${root[@]}"} __selectors 2>/dev/null | cut -f 1
}

# Adds selectors to what the definitions of the command line give.
_ckpt_with_selectors() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD - 1]}" i word
    _ckpt "$@"
    case "${prev}" in
        @SELECTOR_OPTIONS@)
            COMPREPLY=($(compgen -W "$(_ckpt_selectors)" -- "${cur}"))
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
