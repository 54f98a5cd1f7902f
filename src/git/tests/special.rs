//! Everything that libgit2 and git see differently.
