//! Containers that other programs wrote, and ours as they read them.

mod corpora;
mod others;
