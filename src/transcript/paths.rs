//! Paths as clients write them, compared as text: a transcript can come from a machine or a folder that is gone.

/// A path without the verbatim prefix of Windows and with its drive letter in upper case.
///
/// `\\?\C:\app` is what this program makes of a path, `c:\app` or `C:/app` what clients write.
pub(super) fn plain(path: &str) -> String {
    let stripped = match path.strip_prefix(r"\\?\UNC\") {
        Some(share) => format!(r"\\{share}"),
        None => path.strip_prefix(r"\\?\").unwrap_or(path).to_owned(),
    };
    if !is_of_windows(&stripped) {
        return stripped;
    }
    let mut plain = stripped.replace('/', r"\");
    if let Some(drive) = plain.get_mut(..1) {
        drive.make_ascii_uppercase();
    }
    plain
}

/// Whether two paths are one.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a == b || parts(&plain(a)) == parts(&plain(b))
}

/// A path as checkpoints have it, relative to `root` with `/`; None outside of it. What is not absolute is meant
/// from `cwd`.
pub(super) fn relative(path: &str, cwd: Option<&str>, root: &str) -> Option<String> {
    let path = plain(path);
    let path = match (is_absolute(&path), cwd) {
        (false, Some(cwd)) => plain(&format!("{cwd}/{path}")),
        (false, None) => plain(&format!("{root}/{path}")),
        (true, _) => path,
    };
    let root = plain(root);
    let path = parts(&path);
    let inside = path.strip_prefix(&parts(&root)[..])?;
    if inside.is_empty() || inside.contains(&"..") {
        return None;
    }
    Some(inside.join("/"))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.starts_with(r"\\") || has_drive(path)
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

fn is_of_windows(path: &str) -> bool {
    has_drive(path) || path.starts_with(r"\\")
}

/// The names in a path, without those that mean nothing.
fn parts(path: &str) -> Vec<&str> {
    let separators: &[char] = match is_of_windows(path) {
        true => &['\\', '/'],
        false => &['/'],
    };
    let parts = path.split(separators);
    parts
        .filter(|part| !part.is_empty() && *part != ".")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_root_or_nothing() {
        for (path, expected) in [
            ("/home/me/app/src/a.rs", Some("src/a.rs")),
            ("src/./a.rs", Some("src/a.rs")),
            ("/home/me/app", None),
            ("/home/me/app/../other", None),
            ("/home/me/app-2/a", None),
            ("../a", None),
            ("", None),
            (r"a\b", Some(r"a\b")),
        ] {
            assert_eq!(
                relative(path, None, "/home/me/app").as_deref(),
                expected,
                "{path}"
            );
        }
        let below = relative("a.rs", Some("/home/me/app/src"), "/home/me/app");
        assert_eq!(below.as_deref(), Some("src/a.rs"));
        assert_eq!(relative("a.rs", Some("/tmp"), "/home/me/app"), None);
    }

    #[test]
    fn a_path_of_windows_is_found_however_it_is_written() {
        for root in [
            r"\\?\C:\Users\me\app",
            r"c:\Users\me\app",
            "C:/Users/me/app/",
        ] {
            for path in [
                r"C:\Users\me\app\src\a.rs",
                r"c:\Users\me\app\src\a.rs",
                r"\\?\c:\Users\me\app\src\a.rs",
                "c:/Users/me/app/src/a.rs",
                r"src\a.rs",
            ] {
                assert_eq!(
                    relative(path, None, root).as_deref(),
                    Some("src/a.rs"),
                    "{path} in {root}"
                );
            }
            assert_eq!(relative(r"D:\Users\me\app\a", None, root), None);
            assert!(is_same(r"c:\Users\me\app", root));
            assert!(!is_same(r"c:\Users\me\app2", root));
        }
        let share = relative(r"\\host\s\app\a", None, r"\\?\UNC\host\s\app");
        assert_eq!(share.as_deref(), Some("a"));
    }
}
