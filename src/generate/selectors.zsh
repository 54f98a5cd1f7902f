
# The selectors of the project's checkpoints, newest first, with their goals.
_ckpt_selectors() {
    local -a typed root selectors
    local -i i
    local line
    typed=("${(@Q)${(z)LBUFFER}}")
    for ((i = 1; i < ${#typed}; i++)); do
        if [[ "${typed[i]}" == (-C|--project-root) ]]; then
            root=(-C "${typed[i + 1]/#\~/$HOME}")
        fi
    done
    for line in "${(@f)$(command ckpt $root __selectors 2>/dev/null)}"; do
        [[ -n "$line" ]] && selectors+=("${line/$'\t'/:}")
    done
    _describe -V -t selectors checkpoint selectors
}
