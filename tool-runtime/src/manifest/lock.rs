//! The published contract, kept in version control.

/// The version of the lock's form.
pub const LOCK_VERSION: u32 = 1;
