//! What clients put around a prompt, and is none of it: opened files, selections, reminders, images.

/// Elements that clients put before or behind what a person typed, in the words of their tags.
const ELEMENTS: [&str; 18] = [
    // Claude Code and its extensions for editors.
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    "system-reminder",
    "task-notification",
    "user-prompt-submit-hook",
    "local-command-caveat",
    // Codex.
    "environment_context",
    "user_instructions",
    "turn_aborted",
    "subagent_notification",
    "user_shell_command",
    "user_action",
    "skill",
    // Gemini CLI.
    "hook_context",
    "session_context",
    "loaded_context",
];

/// Before the text that Codex's extensions for editors send, with what is open there.
const EDITORS_REQUEST: [&str; 2] = ["# Context from my IDE setup:", "## My request for Codex:"];
/// Before a project's instructions, which Codex sends in the person's name.
const INSTRUCTIONS: [&str; 2] = ["# AGENTS.md instructions", "</INSTRUCTIONS>"];

/// What a person typed, of a text that a client may have wrapped; empty where that is nothing.
pub(super) fn typed(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text.len();
        let [context, request] = EDITORS_REQUEST;
        if text.starts_with(context) {
            text = text.split_once(request).map_or(text, |(_, typed)| typed);
        }
        let [heading, end] = INSTRUCTIONS;
        if text.starts_with(heading) {
            text = text.split_once(end).map_or("", |(_, typed)| typed);
        }
        text = without_image(without_element(text)).trim();
        if text.len() == before {
            return text;
        }
    }
}

fn without_element(text: &str) -> &str {
    for name in ELEMENTS {
        let inside = text
            .strip_prefix('<')
            .and_then(|text| text.strip_prefix(name));
        if inside.is_some_and(|inside| inside.starts_with(['>', ' ', '\n']))
            && let Some((_, rest)) = text.split_once(&format!("</{name}>"))
        {
            return rest;
        }
        let inside = text
            .strip_suffix('>')
            .and_then(|text| text.strip_suffix(name));
        if let Some(inside) = inside.and_then(|inside| inside.strip_suffix("</"))
            && let Some(start) = inside.rfind(&format!("<{name}"))
        {
            return &text[..start];
        }
    }
    text
}

/// Marks such as `[Image #1]`, which stand where a picture was pasted.
fn without_image(text: &str) -> &str {
    const MARKS: [&str; 2] = ["[Image #", "[Image: "];
    for mark in MARKS {
        if text.starts_with(mark)
            && let Some((_, rest)) = text.split_once(']')
        {
            return rest;
        }
        if text.ends_with(']')
            && let Some(start) = text.rfind(mark)
            && text[start..].find(']') == Some(text.len() - start - 1)
        {
            return &text[..start];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around_a_prompt_is_none_of_it() {
        for (text, expected) in [
            ("plain", "plain"),
            (
                "<ide_opened_file>/x is open.</ide_opened_file>\ntext",
                "text",
            ),
            ("<ide_selection>a\nb</ide_selection>text", "text"),
            ("text\n<system-reminder>r</system-reminder>", "text"),
            (
                "<hook_context>a</hook_context>\n\ntext <hook_context>b</hook_context>",
                "text",
            ),
            (
                "<environment_context>\n<cwd>x</cwd></environment_context>",
                "",
            ),
            ("[Image #1] text [Image #2]", "text"),
            ("[Image: source: /tmp/1.png]", ""),
            (
                "# Context from my IDE setup:\n\n## Active file: a.rs\n## My request for Codex:\ntext",
                "text",
            ),
            (
                "# AGENTS.md instructions for /app\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
                "",
            ),
            // What a person may well have typed stays.
            ("<div>x</div>", "<div>x</div>"),
            (
                "<ide_opened_file> is not closed",
                "<ide_opened_file> is not closed",
            ),
            (
                "why is <system-reminder>x</system-reminder> there?",
                "why is <system-reminder>x</system-reminder> there?",
            ),
            ("<skills>x</skills>", "<skills>x</skills>"),
            ("a list [1, 2]", "a list [1, 2]"),
            ("", ""),
        ] {
            assert_eq!(typed(text), expected, "{text}");
        }
    }
}
