# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_ckpt_global_optspecs
    string join \n C/project-root= session= color= h/help V/version
end

function __fish_ckpt_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_ckpt_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_ckpt_using_subcommand
    set -l cmd (__fish_ckpt_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c ckpt -n "__fish_ckpt_needs_command" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_needs_command" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_needs_command" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_needs_command" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_needs_command" -s V -l version -d 'Print version'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "save" -d 'Save what the session knows as its checkpoint'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "load" -d 'Print a checkpoint\'s brief, with what changed since'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "show" -d 'Print a checkpoint\'s brief, with what changed since'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "list" -d 'List the project\'s checkpoints, newest first'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "ls" -d 'List the project\'s checkpoints, newest first'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "resume" -d 'Go on from a checkpoint in an agent'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "diff" -d 'Tell what changed since a checkpoint, or between two'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "log" -d 'List the saves of a checkpoint, newest first'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "restore" -d 'Make an earlier save of a checkpoint the present one'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "name" -d 'Call a checkpoint by a name of your own'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "done" -d 'Mark checkpoints as finished'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "edit" -d 'Edit a checkpoint in your editor'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "prune" -d 'Delete checkpoints that are no longer wanted'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "rm" -d 'Delete checkpoints that are no longer wanted'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "status" -d 'Tell where checkpoints are, what is set up, and what is wrong'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "sync" -d 'Sync the checkpoints with your other machines, over git'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "redact" -d 'Print standard input as a save would keep it: without its secrets'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "serve" -d 'Serve the checkpoints to an agent over MCP'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "nudge" -d 'Hook: tell the agent what to resume, keep and save'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "guard" -d 'Hook: bind calls to sessions, deny subagents\' saves'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c ckpt -n "__fish_ckpt_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -s m -l goal -d 'What the session should achieve' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l task -d 'A task (pending, in_progress, done, blocked) *' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l summary -d 'Where things stand' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l next -d 'A next step *' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l decision -d 'A decision, or something to look out for *' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l file -d 'A file that matters beside the changed ones *' -r -F
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l command -d 'A command that was run *' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l name -d 'What the checkpoint is called' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l resumed-from -d 'What this session went on from' -r -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l input -d 'Read it from a JSON file; `-`: standard input' -r -F
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l from-transcript -d 'Save what a session\'s transcript tells' -r -F
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l merge -d 'Add to the session\'s checkpoint'
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l project -d 'Keep it for every session of the project'
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand save" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -l format -d 'Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed' -r -f -a "brief\t''
full\t''
diff\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -l prev -d 'Load the save before the present one: @{1}'
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -l latest -d 'Load the newest checkpoint, whichever session\'s it is'
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand load" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -l format -d 'Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed' -r -f -a "brief\t''
full\t''
diff\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -l prev -d 'Load the save before the present one: @{1}'
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -l latest -d 'Load the newest checkpoint, whichever session\'s it is'
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand show" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l grep -d 'List those that mention all of these words' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l branch -d 'List those that were saved on this branch' -r -f -a "(__ckpt_selectors --branches)"
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l since -d 'List those that were saved since: 2d, 12h, 2026-10-08' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -s n -l limit -d 'List at most N; 0 lists all' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l open -d 'List those whose tasks are not all done'
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l all -d 'List what is done and sessions without a checkpoint, too'
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l everywhere -d 'List those of every project that the clients know'
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand list" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l grep -d 'List those that mention all of these words' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l branch -d 'List those that were saved on this branch' -r -f -a "(__ckpt_selectors --branches)"
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l since -d 'List those that were saved since: 2d, 12h, 2026-10-08' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -s n -l limit -d 'List at most N; 0 lists all' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l open -d 'List those whose tasks are not all done'
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l all -d 'List what is done and sessions without a checkpoint, too'
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l everywhere -d 'List those of every project that the clients know'
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand ls" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -l in -d 'Go on in this client: claude, codex, gemini or opencode' -r -f -a "claude\t''
codex\t''
gemini\t''
opencode\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -l print -d 'Print the command line and start nothing'
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -l everywhere -d 'Choose among the checkpoints of every project'
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -l prev -d 'Compare A\'s backup, the save before it, with A'
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -s p -l patch -d 'Show the lines that changed, as far as git has what they were'
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -l name-only -d 'Print the paths of the files that differ alone, one a line'
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -l exit-code -d 'Exit with status 1 where anything differs'
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -s n -l limit -d 'List the newest N alone; 0, the default, lists all' -r
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand restore" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand restore" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand restore" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand restore" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand restore" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand name" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand name" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand name" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand name" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand name" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand done" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand done" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand done" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand done" -l undo -d 'Say that they are not finished after all'
complete -c ckpt -n "__fish_ckpt_using_subcommand done" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand edit" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand edit" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand edit" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand edit" -l copy -d 'Write it as a new checkpoint of this name, and leave the other as it is' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand edit" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l older-than -d 'Those saved longer ago: 90m, 12h, 30d, 2w, 1y' -r
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l keep -d 'Those beyond the newest N of the project' -r
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l done -d 'Those marked as done, or with all tasks done'
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l broken -d 'Those that cannot be read, nor their backup'
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l dry-run -d 'Print what would be deleted, and delete nothing'
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -s y -l yes -d 'Delete without asking'
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l older-than -d 'Those saved longer ago: 90m, 12h, 30d, 2w, 1y' -r
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l keep -d 'Those beyond the newest N of the project' -r
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l done -d 'Those marked as done, or with all tasks done'
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l broken -d 'Those that cannot be read, nor their backup'
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l dry-run -d 'Print what would be deleted, and delete nothing'
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -s y -l yes -d 'Delete without asking'
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand rm" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand status" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand status" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand status" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand status" -l line -d 'Print one line for a prompt, and nothing where anything is wrong'
complete -c ckpt -n "__fish_ckpt_using_subcommand status" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand status" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -l as -d 'The name by which the remote knows the project' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -l dry-run -d 'Print what would be sent and received, and change nothing'
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -l stop -d 'Remove from the remote what this machine sent'
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -s y -l yes -d 'Use a remote for the first time without asking'
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -l json -d 'Print the result as JSON'
complete -c ckpt -n "__fish_ckpt_using_subcommand sync" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand redact" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand redact" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand redact" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand redact" -l jsonl -d 'Read and write JSON Lines: {"id": …, "text": …} becomes {"id": …, "redacted": …}'
complete -c ckpt -n "__fish_ckpt_using_subcommand redact" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand serve" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand serve" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand serve" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand serve" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand nudge" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand nudge" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand nudge" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand nudge" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand guard" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand guard" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand guard" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand guard" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand completions" -s C -l project-root -d 'Work on this project, not the working directory' -r -f -a "(__fish_complete_directories)"
complete -c ckpt -n "__fish_ckpt_using_subcommand completions" -l session -d 'Act as the session with this id' -r -f
complete -c ckpt -n "__fish_ckpt_using_subcommand completions" -l color -d 'Colour the output: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c ckpt -n "__fish_ckpt_using_subcommand completions" -s h -l help -d 'Print help'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "save" -d 'Save what the session knows as its checkpoint'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "load" -d 'Print a checkpoint\'s brief, with what changed since'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "list" -d 'List the project\'s checkpoints, newest first'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "resume" -d 'Go on from a checkpoint in an agent'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "diff" -d 'Tell what changed since a checkpoint, or between two'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "log" -d 'List the saves of a checkpoint, newest first'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "restore" -d 'Make an earlier save of a checkpoint the present one'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "name" -d 'Call a checkpoint by a name of your own'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "done" -d 'Mark checkpoints as finished'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "edit" -d 'Edit a checkpoint in your editor'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "prune" -d 'Delete checkpoints that are no longer wanted'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "status" -d 'Tell where checkpoints are, what is set up, and what is wrong'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "sync" -d 'Sync the checkpoints with your other machines, over git'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "redact" -d 'Print standard input as a save would keep it: without its secrets'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "serve" -d 'Serve the checkpoints to an agent over MCP'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "nudge" -d 'Hook: tell the agent what to resume, keep and save'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "guard" -d 'Hook: bind calls to sessions, deny subagents\' saves'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "completions" -d 'Print the completions of a shell'
complete -c ckpt -n "__fish_ckpt_using_subcommand help; and not __fish_seen_subcommand_from save load list resume diff log restore name done edit prune status sync redact serve nudge guard completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'

complete -c ckpt -f

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

complete -c ckpt -n "__fish_ckpt_using_subcommand load" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand resume" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand diff" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand log" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand restore" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand name" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand done" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand edit" -k -f -a "(__ckpt_selectors)"
complete -c ckpt -n "__fish_ckpt_using_subcommand prune" -k -f -a "(__ckpt_selectors)"
