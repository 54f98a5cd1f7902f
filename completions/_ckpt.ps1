
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'ckpt' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'ckpt'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'ckpt' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Save what the session knows as its checkpoint')
            [CompletionResult]::new('load', 'load', [CompletionResultType]::ParameterValue, 'Print a checkpoint''s brief, with what changed since')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a checkpoint''s brief, with what changed since')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the project''s checkpoints, newest first')
            [CompletionResult]::new('ls', 'ls', [CompletionResultType]::ParameterValue, 'List the project''s checkpoints, newest first')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on from a checkpoint in an agent')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Tell what changed since a checkpoint, or between two')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'List the saves of a checkpoint, newest first')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Make an earlier save of a checkpoint the present one')
            [CompletionResult]::new('name', 'name', [CompletionResultType]::ParameterValue, 'Call a checkpoint by a name of your own')
            [CompletionResult]::new('done', 'done', [CompletionResultType]::ParameterValue, 'Mark checkpoints as finished')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Edit a checkpoint in your editor')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Delete checkpoints that are no longer wanted')
            [CompletionResult]::new('rm', 'rm', [CompletionResultType]::ParameterValue, 'Delete checkpoints that are no longer wanted')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Tell where checkpoints are, what is set up, and what is wrong')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Sync the checkpoints with your other machines, over git')
            [CompletionResult]::new('redact', 'redact', [CompletionResultType]::ParameterValue, 'Print standard input as a save would keep it: without its secrets')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the checkpoints to an agent over MCP')
            [CompletionResult]::new('nudge', 'nudge', [CompletionResultType]::ParameterValue, 'Hook: tell the agent what to resume, keep and save')
            [CompletionResult]::new('guard', 'guard', [CompletionResultType]::ParameterValue, 'Hook: bind calls to sessions, deny subagents'' saves')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ckpt;save' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'What the session should achieve')
            [CompletionResult]::new('--goal', '--goal', [CompletionResultType]::ParameterName, 'What the session should achieve')
            [CompletionResult]::new('--task', '--task', [CompletionResultType]::ParameterName, 'A task (pending, in_progress, done, blocked) *')
            [CompletionResult]::new('--summary', '--summary', [CompletionResultType]::ParameterName, 'Where things stand')
            [CompletionResult]::new('--next', '--next', [CompletionResultType]::ParameterName, 'A next step *')
            [CompletionResult]::new('--decision', '--decision', [CompletionResultType]::ParameterName, 'A decision, or something to look out for *')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'A file that matters beside the changed ones *')
            [CompletionResult]::new('--command', '--command', [CompletionResultType]::ParameterName, 'A command that was run *')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'What the checkpoint is called')
            [CompletionResult]::new('--resumed-from', '--resumed-from', [CompletionResultType]::ParameterName, 'What this session went on from')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Read it from a JSON file; `-`: standard input')
            [CompletionResult]::new('--from-transcript', '--from-transcript', [CompletionResultType]::ParameterName, 'Save what a session''s transcript tells')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Add to the session''s checkpoint')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'Keep it for every session of the project')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;load' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed')
            [CompletionResult]::new('--prev', '--prev', [CompletionResultType]::ParameterName, 'Load the save before the present one: @{1}')
            [CompletionResult]::new('--latest', '--latest', [CompletionResultType]::ParameterName, 'Load the newest checkpoint, whichever session''s it is')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;show' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed')
            [CompletionResult]::new('--prev', '--prev', [CompletionResultType]::ParameterName, 'Load the save before the present one: @{1}')
            [CompletionResult]::new('--latest', '--latest', [CompletionResultType]::ParameterName, 'Load the newest checkpoint, whichever session''s it is')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;list' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--grep', '--grep', [CompletionResultType]::ParameterName, 'List those that mention all of these words')
            [CompletionResult]::new('--branch', '--branch', [CompletionResultType]::ParameterName, 'List those that were saved on this branch')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'List those that were saved since: 2d, 12h, 2026-10-08')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'List at most N; 0 lists all')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'List at most N; 0 lists all')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'List those whose tasks are not all done')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'List what is done and sessions without a checkpoint, too')
            [CompletionResult]::new('--everywhere', '--everywhere', [CompletionResultType]::ParameterName, 'List those of every project that the clients know')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;ls' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--grep', '--grep', [CompletionResultType]::ParameterName, 'List those that mention all of these words')
            [CompletionResult]::new('--branch', '--branch', [CompletionResultType]::ParameterName, 'List those that were saved on this branch')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'List those that were saved since: 2d, 12h, 2026-10-08')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'List at most N; 0 lists all')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'List at most N; 0 lists all')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'List those whose tasks are not all done')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'List what is done and sessions without a checkpoint, too')
            [CompletionResult]::new('--everywhere', '--everywhere', [CompletionResultType]::ParameterName, 'List those of every project that the clients know')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;resume' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--in', '--in', [CompletionResultType]::ParameterName, 'Go on in this client: claude, codex, gemini or opencode')
            [CompletionResult]::new('--print', '--print', [CompletionResultType]::ParameterName, 'Print the command line and start nothing')
            [CompletionResult]::new('--everywhere', '--everywhere', [CompletionResultType]::ParameterName, 'Choose among the checkpoints of every project')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;diff' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--prev', '--prev', [CompletionResultType]::ParameterName, 'Compare A''s backup, the save before it, with A')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Show the lines that changed, as far as git has what they were')
            [CompletionResult]::new('--patch', '--patch', [CompletionResultType]::ParameterName, 'Show the lines that changed, as far as git has what they were')
            [CompletionResult]::new('--name-only', '--name-only', [CompletionResultType]::ParameterName, 'Print the paths of the files that differ alone, one a line')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with status 1 where anything differs')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;log' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'List the newest N alone; 0, the default, lists all')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'List the newest N alone; 0, the default, lists all')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;restore' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;name' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;done' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--undo', '--undo', [CompletionResultType]::ParameterName, 'Say that they are not finished after all')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;edit' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--copy', '--copy', [CompletionResultType]::ParameterName, 'Write it as a new checkpoint of this name, and leave the other as it is')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;prune' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--older-than', '--older-than', [CompletionResultType]::ParameterName, 'Those saved longer ago: 90m, 12h, 30d, 2w, 1y')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Those beyond the newest N of the project')
            [CompletionResult]::new('--done', '--done', [CompletionResultType]::ParameterName, 'Those marked as done, or with all tasks done')
            [CompletionResult]::new('--broken', '--broken', [CompletionResultType]::ParameterName, 'Those that cannot be read, nor their backup')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print what would be deleted, and delete nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;rm' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--older-than', '--older-than', [CompletionResultType]::ParameterName, 'Those saved longer ago: 90m, 12h, 30d, 2w, 1y')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Those beyond the newest N of the project')
            [CompletionResult]::new('--done', '--done', [CompletionResultType]::ParameterName, 'Those marked as done, or with all tasks done')
            [CompletionResult]::new('--broken', '--broken', [CompletionResultType]::ParameterName, 'Those that cannot be read, nor their backup')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print what would be deleted, and delete nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;status' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--line', '--line', [CompletionResultType]::ParameterName, 'Print one line for a prompt, and nothing where anything is wrong')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;sync' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'The name by which the remote knows the project')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print what would be sent and received, and change nothing')
            [CompletionResult]::new('--stop', '--stop', [CompletionResultType]::ParameterName, 'Remove from the remote what this machine sent')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Use a remote for the first time without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Use a remote for the first time without asking')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;redact' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('--jsonl', '--jsonl', [CompletionResultType]::ParameterName, 'Read and write JSON Lines: {"id": …, "text": …} becomes {"id": …, "redacted": …}')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;serve' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;nudge' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;guard' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;completions' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--project-root', '--project-root', [CompletionResultType]::ParameterName, 'Work on this project, not the working directory')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Act as the session with this id')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output: auto, always or never')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'ckpt;help' {
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Save what the session knows as its checkpoint')
            [CompletionResult]::new('load', 'load', [CompletionResultType]::ParameterValue, 'Print a checkpoint''s brief, with what changed since')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the project''s checkpoints, newest first')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on from a checkpoint in an agent')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Tell what changed since a checkpoint, or between two')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'List the saves of a checkpoint, newest first')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Make an earlier save of a checkpoint the present one')
            [CompletionResult]::new('name', 'name', [CompletionResultType]::ParameterValue, 'Call a checkpoint by a name of your own')
            [CompletionResult]::new('done', 'done', [CompletionResultType]::ParameterValue, 'Mark checkpoints as finished')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Edit a checkpoint in your editor')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Delete checkpoints that are no longer wanted')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Tell where checkpoints are, what is set up, and what is wrong')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Sync the checkpoints with your other machines, over git')
            [CompletionResult]::new('redact', 'redact', [CompletionResultType]::ParameterValue, 'Print standard input as a save would keep it: without its secrets')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the checkpoints to an agent over MCP')
            [CompletionResult]::new('nudge', 'nudge', [CompletionResultType]::ParameterValue, 'Hook: tell the agent what to resume, keep and save')
            [CompletionResult]::new('guard', 'guard', [CompletionResultType]::ParameterValue, 'Hook: bind calls to sessions, deny subagents'' saves')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ckpt;help;save' {
            break
        }
        'ckpt;help;load' {
            break
        }
        'ckpt;help;list' {
            break
        }
        'ckpt;help;resume' {
            break
        }
        'ckpt;help;diff' {
            break
        }
        'ckpt;help;log' {
            break
        }
        'ckpt;help;restore' {
            break
        }
        'ckpt;help;name' {
            break
        }
        'ckpt;help;done' {
            break
        }
        'ckpt;help;edit' {
            break
        }
        'ckpt;help;prune' {
            break
        }
        'ckpt;help;status' {
            break
        }
        'ckpt;help;sync' {
            break
        }
        'ckpt;help;redact' {
            break
        }
        'ckpt;help;serve' {
            break
        }
        'ckpt;help;nudge' {
            break
        }
        'ckpt;help;guard' {
            break
        }
        'ckpt;help;completions' {
            break
        }
        'ckpt;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
