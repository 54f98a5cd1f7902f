
# The selectors of the project's checkpoints, newest first, with their goals.
function __ckpt_selectors
    set -l typed (commandline -opc)
    set -l root
    for i in (seq 2 (count $typed))
        if contains -- $typed[(math $i - 1)] -C --project-root
            set root -C (string replace -r '^~' $HOME -- $typed[$i])
        end
    end
    command ckpt $root __selectors 2>/dev/null
end

