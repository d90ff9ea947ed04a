//! Errors of block stores.

use keepers::WorkError;

/// What is wrong with the bytes of an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Damage(pub String);

impl Damage {
    /// Returns the damage of an object that does not exist.
    pub(crate) fn missing() -> Damage {
        Damage("it does not exist".into())
    }
}

/// The reason why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The address of the store is not valid.
    #[error("{0}")]
    Address(String),
    /// The store could not be read or written.
    #[error("{action} {name} in {store} failed: {reason}")]
    Io {
        /// What was attempted: reading, writing, listing or removing.
        action: &'static str,
        /// The name of the object.
        name: String,
        /// The address of the store.
        store: String,
        /// The reason, with what to do about it where that is known.
        reason: String,
    },
    /// An object is damaged.
    #[error("{name} is damaged: {damage}; remove it, and run `keepers two-player solve` to make it again")]
    Damaged {
        /// The name of the object.
        name: String,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A part of a one-player table is damaged.
    #[error("{name} is damaged: {damage}; run `keepers solve` with --memory again to make it again")]
    DamagedPart {
        /// The name of the object.
        name: String,
        /// What is wrong with it.
        damage: Damage,
    },
    /// An object exists with other values.
    #[error(
        "{name} exists with the hash {stored}, but the values solved here have the hash {solved}: one of the two \
         machines computes wrong values; run `keepers two-player verify` to find out which"
    )]
    Conflict {
        /// The name of the object.
        name: String,
        /// The hash of the stored object.
        stored: String,
        /// The hash of the values that were to be written.
        solved: String,
    },
    /// The store belongs to another game, to another version, or has other settings.
    #[error("{0}")]
    Foreign(String),
    /// Something that is needed does not exist.
    #[error("{0}")]
    Missing(String),
    /// The request cannot be fulfilled.
    #[error("{0}")]
    Request(String),
    /// The work was cancelled, or memory ran out.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Returns what is wrong with a store of other rules. Rules without a name all have the same one.
pub(crate) fn other_rules(found: &str, wanted: &str) -> String {
    if found == wanted {
        format!("belongs to other rules of the same name ({found}): choose another store, or those rules")
    } else {
        format!("belongs to the rules {found}, not to {wanted}: choose another store, or other rules")
    }
}

impl StoreError {
    /// Returns whether the user can correct the error by changing the arguments.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            StoreError::Address(_) | StoreError::Foreign(_) | StoreError::Missing(_) | StoreError::Request(_)
        )
    }
}
