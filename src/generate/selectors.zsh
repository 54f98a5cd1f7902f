
# The selectors of the project's checkpoints, newest first, with their goals.
_ckpt_selectors() {
    local -a typed root selectors
    local -i i
    local dir line
    typed=("${(@Q)${(z)LBUFFER}}")
    for ((i = 1; i < ${#typed}; i++)); do
        dir=""
        case "${typed[i]}" in
            -C|--project-root) dir="${typed[i + 1]}" ;;
            --project-root=?*) dir="${typed[i]#*=}" ;;
            -C?*) dir="${typed[i]#-C}" ;;
        esac
        [[ -n "$dir" ]] && root=(-C "${dir/#\~/$HOME}")
    done
    for line in "${(@f)$(command ckpt $root __selectors 2>/dev/null)}"; do
        [[ -n "$line" ]] && selectors+=("${line/$'\t'/:}")
    done
    _describe -V -t selectors checkpoint selectors
}
