//! A remote of `ckpt sync` that speaks git's protocol and does not stop: it is cut off, and nothing here has changed.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::{ended, start};
use crate::harness::Project;

const COMMIT: &str = "1111111111111111111111111111111111111111";
/// Bytes after which a remote gives up, far more than any of them is listened to.
const ENOUGH: usize = 2 << 30;

/// What a remote goes on with for ever (gitprotocol-pack(5), gitprotocol-v2(5)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endless {
    /// In the protocol's version 0, 1 or 2, whatever was asked for.
    Refs(u32),
    /// What a server of version 2 says that it can do.
    Abilities,
    /// What is told while objects are packed.
    Progress,
    /// Objects, in a stream of its own, which git's own child reads.
    Objects,
    /// Refs in one answer over HTTP, which git takes whole before it reads them (gitprotocol-http(5)).
    Answer,
}

fn packet(content: &[u8]) -> Vec<u8> {
    [format!("{:04x}", content.len() + 4).as_bytes(), content].concat()
}

fn reference(name: &str) -> Vec<u8> {
    packet(format!("{COMMIT} {name}\n").as_bytes())
}

/// One connection; an error where the other side closes it.
struct Connection {
    stream: TcpStream,
    sent: usize,
}

impl Connection {
    fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sent += bytes.len();
        self.stream.write_all(bytes)
    }

    /// The next packet; empty for one that only divides.
    fn hear(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        let length = usize::from_str_radix(str::from_utf8(&length).unwrap(), 16).unwrap();
        let mut content = vec![0; length.saturating_sub(4)];
        self.stream.read_exact(&mut content)?;
        Ok(content)
    }

    fn hear_until(&mut self, end: &[u8]) -> io::Result<()> {
        while self.hear()? != end {}
        Ok(())
    }

    /// Says things until it is enough; an error where nobody hears them any more.
    fn go_on(&mut self, mut next: impl FnMut(usize) -> Vec<u8>) -> io::Result<()> {
        for number in 0.. {
            let many: Vec<u8> = (0..100).flat_map(|at| next(number * 100 + at)).collect();
            self.say(&many)?;
            if self.sent > ENOUGH {
                break;
            }
        }
        Ok(())
    }

    /// Reads a request to its blank line.
    fn hear_request(&mut self) -> io::Result<()> {
        let mut heard = Vec::new();
        while !heard.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.stream.read_exact(&mut byte)?;
            heard.extend(byte);
        }
        Ok(())
    }

    fn answer(&mut self, next: impl FnMut(usize) -> Vec<u8>) -> io::Result<()> {
        let kind = "Content-Type: application/x-git-upload-pack-advertisement";
        self.say(format!("HTTP/1.1 200 OK\r\n{kind}\r\n\r\n").as_bytes())?;
        self.say(&packet(b"# service=git-upload-pack\n"))?;
        self.say(b"0000")?;
        self.go_on(next)
    }

    fn serve(&mut self, endless: Endless) -> io::Result<()> {
        let many = |number| reference(&format!("refs/ckpt/my-app/machine{number:09}"));
        if endless == Endless::Answer {
            self.hear_request()?;
        } else {
            self.hear()?;
        }
        let other = reference("refs/ckpt/my-app/other");
        let can = format!("{COMMIT} refs/ckpt/my-app/other\0shallow ofs-delta\n");
        match endless {
            Endless::Answer => self.answer(many),
            Endless::Refs(2) | Endless::Abilities | Endless::Progress => {
                self.say(&packet(b"version 2\n"))?;
                if endless == Endless::Abilities {
                    return self.go_on(|_| packet(&[b'x'; 60_000]));
                }
                for ability in [&b"ls-refs\n"[..], b"fetch=shallow\n"] {
                    self.say(&packet(ability))?;
                }
                self.say(b"0000")?;
                self.hear_until(b"")?;
                self.hear_until(b"")?;
                if endless == Endless::Refs(2) {
                    return self.go_on(many);
                }
                self.say(&[other, b"0000".to_vec()].concat())?;
                self.hear_until(b"")?;
                self.hear_until(b"")?;
                self.say(&packet(b"packfile\n"))?;
                self.go_on(|_| packet(&[b"\x02", [b' '; 60_000].as_slice()].concat()))
            }
            Endless::Refs(version) => {
                if version == 1 {
                    self.say(&packet(b"version 1\n"))?;
                }
                self.say(&packet(can.as_bytes()))?;
                self.go_on(many)
            }
            Endless::Objects => {
                self.say(&packet(can.as_bytes()))?;
                self.say(b"0000")?;
                // First what is wanted, where anything is.
                self.hear_until(b"")?;
                self.say(&packet(format!("shallow {COMMIT}").as_bytes()))?;
                self.say(b"0000")?;
                self.hear_until(b"done\n")?;
                self.say(&packet(b"NAK\n"))?;
                self.say(&[b"PACK\0\0\0\x02", &1_000_000_u32.to_be_bytes()[..]].concat())?;
                let object = object();
                self.go_on(|_| object.clone())
            }
        }
    }
}

/// 65,535 zeros as a blob of a pack, not compressed (gitformat-pack(5), RFC 1950, RFC 1951).
fn object() -> Vec<u8> {
    const SIZE: u16 = u16::MAX;
    let header = [0xbf, 0xff, 0x1f, 0x78, 0x01, 0x01];
    let sum = (u32::from(SIZE) % 65_521) << 16 | 1;
    let mut object = header.to_vec();
    object.extend(SIZE.to_le_bytes());
    object.extend((!SIZE).to_le_bytes());
    object.extend(vec![0; SIZE.into()]);
    object.extend(sum.to_be_bytes());
    object
}

/// Serves every connection; hears of each that went on whether it was cut off.
fn remote(endless: Endless) -> (String, Receiver<bool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, receiver): (Sender<bool>, _) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, sent) = (stream.unwrap(), 0);
            let mut connection = Connection { stream, sent };
            let is_cut_off = connection.serve(endless).is_err();
            if connection.sent > 1 << 20 {
                // The test may have failed.
                let _ = sender.send(is_cut_off);
            }
        }
    });
    let transport = match endless {
        Endless::Answer => "http",
        _ => "git",
    };
    (format!("{transport}://127.0.0.1:{port}/x"), receiver)
}

#[test]
fn a_remote_that_does_not_stop_is_cut_off_and_nothing_here_has_changed() {
    let refs = "the remote lists more refs than machines can have made";
    for (endless, why) in [
        (Endless::Refs(0), refs),
        (Endless::Refs(1), refs),
        (Endless::Refs(2), refs),
        (Endless::Abilities, refs),
        (Endless::Progress, refs),
        (Endless::Objects, "the remote sends more than 256 MiB"),
        (Endless::Answer, "over limit"),
    ] {
        let (url, cut_off) = remote(endless);
        let project = Project::bare_folder();
        project.save("s1", serde_json::json!({"goal": "one"}));
        let before = project.snapshot();
        let mut sync = project.command(["sync", &url, "--yes"]);
        sync.env("TMPDIR", project.home())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        let output = ended(start(sync), &format!("{endless:?}")).exits(2);
        assert!(
            output.stderr.contains(why),
            "{endless:?}: {}",
            output.stderr
        );
        // Git's own child ends with it.
        assert!(cut_off.recv().unwrap(), "{endless:?}");
        assert_eq!(project.snapshot(), before, "{endless:?}");
        let left = std::fs::read_dir(project.home()).unwrap().flatten();
        let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 0, "{endless:?}: {left:?}");
    }
}
