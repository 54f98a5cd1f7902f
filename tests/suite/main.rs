//! Everything that a person or a client can see of `ckpt`, tested on the real binary.

mod harness;
