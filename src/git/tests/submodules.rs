//! Submodules and nested repositories.
