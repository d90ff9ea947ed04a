//! The publications and their items.

use crate::run::Run;
use crate::{cremers, felldin_sood, pawlewicz, perkins, verhoeff, yatzy};

/// A publication.
pub struct Document {
    /// The name, which is that of its folder in `papers/`.
    pub name: &'static str,
    /// The items that can be recomputed.
    pub items: &'static [Item],
}

/// An item of a publication: a table, a figure or a claim.
pub struct Item {
    /// The name, as in `published.toml`.
    pub id: &'static str,
    /// Whether the item is part of quick runs, which all documents together finish in three minutes on two cores.
    pub quick: bool,
    /// Computes the item.
    pub run: fn(&mut Run<'_>) -> anyhow::Result<()>,
}

/// All publications, in the order of their years.
pub const DOCUMENTS: &[Document] = &[
    Document { name: "verhoeff-1999", items: verhoeff::ITEMS },
    Document { name: "cremers-2002", items: cremers::ITEMS },
    Document { name: "pawlewicz-2010", items: pawlewicz::ITEMS },
    Document { name: "felldin-sood-2012", items: felldin_sood::ITEMS },
    Document { name: "perkins-2019", items: perkins::ITEMS },
    Document { name: "yatzy", items: yatzy::ITEMS },
];

/// Returns a publication by its name, or by a unique beginning of it.
pub fn document(name: &str) -> Option<&'static Document> {
    let mut found = DOCUMENTS.iter().filter(|document| document.name.starts_with(name));
    let first = found.next()?;
    (found.next().is_none() || first.name == name).then_some(first)
}
