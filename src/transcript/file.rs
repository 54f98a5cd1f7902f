//! Opening files that others own: regular ones alone, and without waiting for anybody.

use std::fs::{self, Metadata};
use std::io::{self, BufRead as _, BufReader, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use jiff::Timestamp;
use ruzstd::decoding::StreamingDecoder;

use super::shorten::Shortener;
use super::{backwards, whole};

/// How the name of a compressed transcript ends.
pub(super) const COMPRESSED: &str = ".zst";
/// How the name of a transcript ends that is one value, and not a line for each.
pub(super) const WHOLE: &str = ".json";
/// Bytes of such a transcript; a longer one is not read.
const LONGEST_WHOLE: u64 = 32 << 20;
/// Bytes of a compressed transcript's content that are kept, its start and its end.
const KEPT_HEAD: usize = 1 << 20;
const KEPT_TAIL: usize = 8 << 20;
/// Bytes of content at which decompressing is given up.
const CONTENT: u64 = 1 << 30;
/// Bytes that a decompressor may look back, which it has to keep in memory; `zstd -19` takes 8 MiB.
const WINDOW: u64 = 16 << 20;
/// Bytes of a file's start that are read for lines of use at the most.
const READ_FOR_HEAD: u64 = 64 << 20;

/// A file of a folder; its name is looked up in that folder and nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TranscriptFile {
    pub(super) folder: PathBuf,
    pub(super) name: String,
    pub(super) modified: Timestamp,
}

impl TranscriptFile {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The file of a path that a person names.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let folder = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = path.file_name()?.to_str()?.to_owned();
        let metadata = path.symlink_metadata().ok()?;
        let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
        let found = Self {
            folder: folder.to_owned(),
            name,
            modified,
        };
        metadata.is_file().then_some(found)
    }

    /// The file and its length; None where it is gone or not a regular file.
    fn open(&self) -> Option<(File, u64)> {
        let dir = Dir::open_ambient_dir(&self.folder, ambient_authority()).ok()?;
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        let file = dir.open_with(&self.name, &options).ok()?;
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata.len()))
    }

    /// Bytes; 0 where it is gone or not a regular file.
    pub(super) fn length(&self) -> u64 {
        self.open().map_or(0, |(_, length)| length)
    }

    /// Hands out the lines of the file's last bytes, the last line first, until told to break. Whether those were all.
    pub(super) fn backwards(
        &self,
        bytes: u64,
        mut visit: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        // A text's mark that it is UTF-8, as some editors write it, is no part of the first line.
        let mut visit = |line: &[u8]| visit(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line));
        let Some((file, length)) = self.open() else {
            return false;
        };
        // What could be read before a fault still counts.
        let (tail, is_whole) = match self.form() {
            Form::Lines => {
                return backwards::lines(file, length, bytes, &mut visit).unwrap_or(false);
            }
            Form::Compressed => tail(&mut decompressed(file)),
            Form::Whole => (lines_of_whole(file), true),
        };
        let length = tail.len() as u64;
        let all = backwards::lines(Cursor::new(tail), length, bytes, &mut visit);
        is_whole && all.unwrap_or(false)
    }

    /// The file's first bytes as they are.
    pub(super) fn text(&self, bytes: u64) -> Vec<u8> {
        let mut text = Vec::new();
        if let Some((file, _)) = self.open() {
            // What could be read before a fault still counts.
            let _ = file.take(bytes).read_to_end(&mut text);
        }
        text
    }

    /// The file's first bytes, with the last line cut off anywhere, and in which long strings are cut.
    pub(super) fn head(&self, bytes: usize) -> Vec<u8> {
        let Some((file, _)) = self.open() else {
            return Vec::new();
        };
        match self.form() {
            Form::Lines => head(file, bytes),
            Form::Compressed => head(decompressed(file), bytes),
            Form::Whole => head(&lines_of_whole(file)[..], bytes),
        }
    }

    /// Hands out the lines of the file's first bytes, until told to break.
    pub(super) fn forwards(&self, bytes: usize, mut visit: impl FnMut(&[u8]) -> ControlFlow<()>) {
        for line in self.head(bytes).split(|byte| *byte == b'\n') {
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            if visit(line.trim_ascii_end()).is_break() {
                return;
            }
        }
    }

    fn form(&self) -> Form {
        if self.name.ends_with(COMPRESSED) {
            Form::Compressed
        } else if self.name.starts_with("session-") && self.name.ends_with(WHOLE) {
            Form::Whole
        } else {
            Form::Lines
        }
    }
}

/// How a transcript is written.
enum Form {
    Lines,
    Compressed,
    Whole,
}

fn lines_of_whole(file: File) -> Vec<u8> {
    let mut text = Vec::new();
    match file.take(LONGEST_WHOLE).read_to_end(&mut text) {
        Ok(_) => whole::lines(&text),
        Err(_) => Vec::new(),
    }
}

/// The content of a compressed file, which can be of several frames.
fn decompressed(file: File) -> impl Read {
    Frames::Next(Some(BufReader::new(file))).take(CONTENT)
}

/// A decompressor, or what is left to decompress.
enum Frames {
    In(Box<StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>>),
    Next(Option<BufReader<File>>),
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                Self::In(decoder) => {
                    let read = decoder.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        return Ok(read);
                    }
                }
                Self::Next(None) => return Ok(0),
                Self::Next(Some(_)) => {}
            }
            *self = match std::mem::replace(self, Self::Next(None)) {
                Self::In(decoder) => Self::Next(Some(decoder.into_inner())),
                Self::Next(Some(mut file)) => {
                    if file.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new_with_max_window_size(file, WINDOW);
                    Self::In(Box::new(decoder.map_err(io::Error::other)?))
                }
                Self::Next(None) => return Ok(0),
            };
        }
    }
}

/// The last bytes of what is read, and whether they are all.
fn tail(from: &mut impl Read) -> (Vec<u8>, bool) {
    let mut tail = Vec::new();
    let mut is_whole = true;
    let mut piece = vec![0; 64 << 10];
    while let Ok(read) = from.read(&mut piece)
        && read > 0
    {
        tail.extend_from_slice(&piece[..read]);
        if tail.len() > 2 * KEPT_TAIL {
            tail.drain(..tail.len() - KEPT_TAIL);
            is_whole = false;
        }
    }
    (tail, is_whole)
}

/// The first bytes of what is read, with the last line cut off anywhere, and in which long strings are cut.
fn head(from: impl Read, bytes: usize) -> Vec<u8> {
    let bytes = bytes.min(KEPT_HEAD);
    let mut from = BufReader::new(from.take(READ_FOR_HEAD));
    let mut head = Vec::new();
    let mut shortener = Shortener::default();
    while head.len() < bytes {
        // What could be read before a fault still counts.
        let Ok(piece) = from.fill_buf() else { break };
        if piece.is_empty() {
            return head;
        }
        let length = piece.len();
        shortener.copy(piece, &mut head);
        from.consume(length);
    }
    head
}

/// The regular files of a folder that `accepts` takes by their names, the last written first.
pub(super) fn listed(folder: &Path, accepts: impl Fn(&str) -> bool) -> Vec<TranscriptFile> {
    written_since(folder, None, accepts)
}

/// Those of them that were written since a time.
pub(super) fn written_since(
    folder: &Path,
    since: Option<Timestamp>,
    accepts: impl Fn(&str) -> bool,
) -> Vec<TranscriptFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<TranscriptFile> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let name = name.to_str().filter(|name| accepts(name))?;
            // Of a link it is the link's own, which is not a file's.
            let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
            let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
            let is_wanted = since.is_none_or(|since| modified >= since);
            is_wanted.then(|| TranscriptFile {
                folder: folder.to_owned(),
                name: name.to_owned(),
                modified,
            })
        })
        .collect();
    files.sort_by(|a, b| {
        b.modified
            .cmp(&a.modified)
            .then_with(|| a.name.cmp(&b.name))
    });
    files
}

/// The names of a folder's folders, in descending order.
pub(super) fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_by(|a, b| b.cmp(a));
    names
}
