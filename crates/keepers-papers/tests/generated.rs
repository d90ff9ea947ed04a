//! The files of `papers/`: every item is described, every printed figure can be compared, and all generated text is up to
//! date.

use std::collections::BTreeSet;
use std::path::Path;

use keepers_papers::{DOCUMENTS, Published, Results, Verdict, compare, generate};

const PAPERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers");

#[test]
fn every_item_has_printed_figures_or_says_that_there_are_none() {
    for document in DOCUMENTS {
        let published = Published::read(&Path::new(PAPERS).join(document.name)).unwrap();
        let items: Vec<&str> = document.items.iter().map(|item| item.id).collect();
        let described: BTreeSet<&str> = published.item.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(items.iter().copied().collect::<BTreeSet<_>>(), described, "{}", document.name);
        for item in &published.item {
            let ids: BTreeSet<&str> = item.figure.iter().map(|figure| figure.id.as_str()).collect();
            assert_eq!(ids.len(), item.figure.len(), "{}, {}: an id occurs twice", document.name, item.id);
            for figure in &item.figure {
                let explained = !figure.because.is_empty();
                let differs = figure.expect == keepers_papers::Expectation::Differs;
                assert!(explained || !differs, "{}: {} differs without a reason", document.name, figure.id);
            }
        }
    }
}

#[test]
fn stored_results_are_as_expected() {
    for document in DOCUMENTS {
        let folder = Path::new(PAPERS).join(document.name);
        let (published, results) = (Published::read(&folder).unwrap(), Results::read(&folder).unwrap());
        for item in &published.item {
            let Some(result) = results.items.get(&item.id) else { continue };
            for one in compare(item, Some(result)) {
                let name = &one.published.id;
                assert_ne!(
                    one.verdict,
                    Verdict::Fails,
                    "{}, {}, {name}: {:?}",
                    document.name,
                    item.id,
                    one.ours
                );
            }
            assert!(!result.provenance.version.is_empty() && !result.provenance.machine.is_empty());
            for file in &result.files {
                assert!(folder.join(file).is_file(), "{} is missing {file}", document.name);
            }
        }
    }
}

#[test]
fn generated_text_is_up_to_date() {
    for file in generate(Path::new(PAPERS)).unwrap() {
        assert!(file.is_current, "{} is not up to date: run keepers papers write", file.path.display());
    }
}
