
use builtin;
use str;

set edit:completion:arg-completer[ckpt] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'ckpt'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'ckpt'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand save 'Save what the session knows as its checkpoint'
            cand load 'Print a checkpoint''s brief, with what changed since'
            cand show 'Print a checkpoint''s brief, with what changed since'
            cand list 'List the project''s checkpoints, newest first'
            cand ls 'List the project''s checkpoints, newest first'
            cand resume 'Go on from a checkpoint in an agent'
            cand diff 'Tell what changed since a checkpoint, or between two'
            cand log 'List the saves of a checkpoint, newest first'
            cand restore 'Make an earlier save of a checkpoint the present one'
            cand name 'Call a checkpoint by a name of your own'
            cand done 'Mark checkpoints as finished'
            cand edit 'Edit a checkpoint in your editor'
            cand prune 'Delete checkpoints that are no longer wanted'
            cand rm 'Delete checkpoints that are no longer wanted'
            cand status 'Tell where checkpoints are, what is set up, and what is wrong'
            cand sync 'Sync the checkpoints with your other machines, over git'
            cand redact 'Print standard input as a save would keep it: without its secrets'
            cand serve 'Serve the checkpoints to an agent over MCP'
            cand nudge 'Hook: tell the agent what to resume, keep and save'
            cand guard 'Hook: bind calls to sessions, deny subagents'' saves'
            cand completions 'Print the completions of a shell'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ckpt;save'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -m 'What the session should achieve'
            cand --goal 'What the session should achieve'
            cand --task 'A task (pending, in_progress, done, blocked) *'
            cand --summary 'Where things stand'
            cand --next 'A next step *'
            cand --decision 'A decision, or something to look out for *'
            cand --file 'A file that matters beside the changed ones *'
            cand --command 'A command that was run *'
            cand --name 'What the checkpoint is called'
            cand --resumed-from 'What this session went on from'
            cand --input 'Read it from a JSON file; `-`: standard input'
            cand --from-transcript 'Save what a session''s transcript tells'
            cand --merge 'Add to the session''s checkpoint'
            cand --project 'Keep it for every session of the project'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;load'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --format 'Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed'
            cand --prev 'Load the save before the present one: @{1}'
            cand --latest 'Load the newest checkpoint, whichever session''s it is'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;show'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --format 'Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed'
            cand --prev 'Load the save before the present one: @{1}'
            cand --latest 'Load the newest checkpoint, whichever session''s it is'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;list'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --grep 'List those that mention all of these words'
            cand --branch 'List those that were saved on this branch'
            cand --since 'List those that were saved since: 2d, 12h, 2026-10-08'
            cand -n 'List at most N; 0 lists all'
            cand --limit 'List at most N; 0 lists all'
            cand --open 'List those whose tasks are not all done'
            cand --all 'List what is done and sessions without a checkpoint, too'
            cand --everywhere 'List those of every project that the clients know'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;ls'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --grep 'List those that mention all of these words'
            cand --branch 'List those that were saved on this branch'
            cand --since 'List those that were saved since: 2d, 12h, 2026-10-08'
            cand -n 'List at most N; 0 lists all'
            cand --limit 'List at most N; 0 lists all'
            cand --open 'List those whose tasks are not all done'
            cand --all 'List what is done and sessions without a checkpoint, too'
            cand --everywhere 'List those of every project that the clients know'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;resume'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --in 'Go on in this client: claude, codex, gemini or opencode'
            cand --print 'Print the command line and start nothing'
            cand --everywhere 'Choose among the checkpoints of every project'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;diff'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --prev 'Compare A''s backup, the save before it, with A'
            cand -p 'Show the lines that changed, as far as git has what they were'
            cand --patch 'Show the lines that changed, as far as git has what they were'
            cand --name-only 'Print the paths of the files that differ alone, one a line'
            cand --json 'Print the result as JSON'
            cand --exit-code 'Exit with status 1 where anything differs'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;log'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -n 'List the newest N alone; 0, the default, lists all'
            cand --limit 'List the newest N alone; 0, the default, lists all'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;restore'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;name'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;done'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --undo 'Say that they are not finished after all'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;edit'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --copy 'Write it as a new checkpoint of this name, and leave the other as it is'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;prune'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --older-than 'Those saved longer ago: 90m, 12h, 30d, 2w, 1y'
            cand --keep 'Those beyond the newest N of the project'
            cand --done 'Those marked as done, or with all tasks done'
            cand --broken 'Those that cannot be read, nor their backup'
            cand --dry-run 'Print what would be deleted, and delete nothing'
            cand -y 'Delete without asking'
            cand --yes 'Delete without asking'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;rm'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --older-than 'Those saved longer ago: 90m, 12h, 30d, 2w, 1y'
            cand --keep 'Those beyond the newest N of the project'
            cand --done 'Those marked as done, or with all tasks done'
            cand --broken 'Those that cannot be read, nor their backup'
            cand --dry-run 'Print what would be deleted, and delete nothing'
            cand -y 'Delete without asking'
            cand --yes 'Delete without asking'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;status'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --line 'Print one line for a prompt, and nothing where anything is wrong'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;sync'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --as 'The name by which the remote knows the project'
            cand --dry-run 'Print what would be sent and received, and change nothing'
            cand --stop 'Remove from the remote what this machine sent'
            cand -y 'Use a remote for the first time without asking'
            cand --yes 'Use a remote for the first time without asking'
            cand --json 'Print the result as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;redact'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand --jsonl 'Read and write JSON Lines: {"id": …, "text": …} becomes {"id": …, "redacted": …}'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;serve'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;nudge'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;guard'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;completions'= {
            cand -C 'Work on this project, not the working directory'
            cand --project-root 'Work on this project, not the working directory'
            cand --session 'Act as the session with this id'
            cand --color 'Colour the output: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'ckpt;help'= {
            cand save 'Save what the session knows as its checkpoint'
            cand load 'Print a checkpoint''s brief, with what changed since'
            cand list 'List the project''s checkpoints, newest first'
            cand resume 'Go on from a checkpoint in an agent'
            cand diff 'Tell what changed since a checkpoint, or between two'
            cand log 'List the saves of a checkpoint, newest first'
            cand restore 'Make an earlier save of a checkpoint the present one'
            cand name 'Call a checkpoint by a name of your own'
            cand done 'Mark checkpoints as finished'
            cand edit 'Edit a checkpoint in your editor'
            cand prune 'Delete checkpoints that are no longer wanted'
            cand status 'Tell where checkpoints are, what is set up, and what is wrong'
            cand sync 'Sync the checkpoints with your other machines, over git'
            cand redact 'Print standard input as a save would keep it: without its secrets'
            cand serve 'Serve the checkpoints to an agent over MCP'
            cand nudge 'Hook: tell the agent what to resume, keep and save'
            cand guard 'Hook: bind calls to sessions, deny subagents'' saves'
            cand completions 'Print the completions of a shell'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ckpt;help;save'= {
        }
        &'ckpt;help;load'= {
        }
        &'ckpt;help;list'= {
        }
        &'ckpt;help;resume'= {
        }
        &'ckpt;help;diff'= {
        }
        &'ckpt;help;log'= {
        }
        &'ckpt;help;restore'= {
        }
        &'ckpt;help;name'= {
        }
        &'ckpt;help;done'= {
        }
        &'ckpt;help;edit'= {
        }
        &'ckpt;help;prune'= {
        }
        &'ckpt;help;status'= {
        }
        &'ckpt;help;sync'= {
        }
        &'ckpt;help;redact'= {
        }
        &'ckpt;help;serve'= {
        }
        &'ckpt;help;nudge'= {
        }
        &'ckpt;help;guard'= {
        }
        &'ckpt;help;completions'= {
        }
        &'ckpt;help;help'= {
        }
    ]
    $completions[$command]
}
