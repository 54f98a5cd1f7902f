
# The selectors of the project's checkpoints, newest first, with their goals;
# with --branches the branches that they were saved on.
function __ckpt_selectors
    set -l typed (commandline -opc)
    set -l root
    for i in (seq 2 (count $typed))
        set -l dir
        if contains -- $typed[(math $i - 1)] -C --project-root
            set dir $typed[$i]
        else if string match -qr '^(--project-root=|-C).' -- $typed[$i]
            set dir (string replace -r '^(--project-root=|-C)' '' -- $typed[$i])
        end
        if set -q dir[1]
            set root -C (string replace -r '^~' $HOME -- $dir)
        end
    end
    command ckpt $root __selectors $argv 2>/dev/null
end

