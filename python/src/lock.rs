//! Locking, also after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. A panic while it was locked leaves a state that can be used.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
