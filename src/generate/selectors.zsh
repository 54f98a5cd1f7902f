
# What ckpt tells of the project that is typed.
_ckpt_told() {
    local -a typed root
    local -i i
    local dir
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
    command ckpt $root __selectors "$@" 2>/dev/null
}

# The selectors of the project's checkpoints, newest first, with their goals.
_ckpt_selectors() {
    local -a selectors
    local line
    for line in "${(@f)$(_ckpt_told)}"; do
        [[ -n "$line" ]] && selectors+=("${line/$'\t'/:}")
    done
    _describe -V -t selectors checkpoint selectors
}

# The branches that they were saved on.
_ckpt_branches() {
    local -a branches
    branches=("${(@f)$(_ckpt_told --branches)}")
    compadd -V branches -a branches
}
