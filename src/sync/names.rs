//! Names of projects and machines as parts of a ref (git-check-ref-format(1)).

/// Characters of one part.
const LONGEST: usize = 100;

/// A host's name as a part of a ref; None where nothing of it can stand there.
pub(crate) fn machine(name: &str) -> Option<String> {
    part(name)
}

/// The name of a project: `owner/name` of a repository's URL, or one that somebody gave.
pub(crate) fn project(text: &str) -> Option<String> {
    let text = text.trim_end_matches('/');
    let text = text.strip_suffix(".git").unwrap_or(text);
    // `host:owner/name`, as ssh has it, and every form of URL and path.
    let mut parts = text.rsplit(['/', ':', '\\']).map(part);
    let name = parts.next()??;
    match parts.next().flatten() {
        Some(owner) => Some(format!("{owner}/{name}")),
        None => Some(name),
    }
}

/// What of a text can be a part of a ref: plain characters, no dot at either end, no two together, no `.lock`.
fn part(text: &str) -> Option<String> {
    let mut part = String::new();
    for c in text.chars().take(LONGEST) {
        let c = if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        };
        if c != '.' || !part.ends_with('.') {
            part.push(c);
        }
    }
    let mut part = part.trim_matches(['.', '-']);
    while let Some(rest) = part.strip_suffix(".lock") {
        part = rest.trim_end_matches(['.', '-']);
    }
    Some(part.to_owned()).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_named_by_owner_and_name_of_its_url() {
        for (url, name) in [
            ("https://example.com/me/app.git", "me/app"),
            ("https://example.com/me/app", "me/app"),
            ("git@example.com:me/app.git", "me/app"),
            ("ssh://git@example.com:22/group/me/app.git/", "me/app"),
            ("/srv/git/app.git", "git/app"),
            (r"C:\git\app.git", "git/app"),
            ("app", "app"),
            ("me/my app", "me/my-app"),
        ] {
            assert_eq!(project(url).as_deref(), Some(name), "{url}");
        }
        assert_eq!(project(""), None);
    }

    #[test]
    fn what_no_ref_can_hold_is_left_out() {
        for (name, expected) in [
            ("laptop", Some("laptop")),
            ("laptop.local", Some("laptop.local")),
            ("Ada's laptop", Some("Ada-s-laptop")),
            ("a..b", Some("a.b")),
            ("../../x", Some("x")),
            ("x.lock", Some("x")),
            ("x.lock.lock", Some("x")),
            (".", None),
            ("", None),
            ("@{", None),
        ] {
            assert_eq!(machine(name).as_deref(), expected, "{name:?}");
        }
    }
}
