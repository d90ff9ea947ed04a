//! Prints Cremers' figures 5.5 to 5.8 as tables, and next to those of Yahtzee what the solver reads for the same division.
//!
//! `cargo run --release -p keepers-blocks --example cremers [RULES [MIB...]]` solves the reach curves of a preset once for
//! every size of the fixed subset up to the number of upper boxes, with as little memory as possible and with each of the
//! given caches, into a temporary folder.

use keepers::internals::Work;
use keepers::internals::solve::{Partition, ReachableStates, reach_cells};
use keepers::{Game, Silent};
use keepers_blocks::ObjectFolder;
use keepers_blocks::one_player::{Cremers, CurveStore, Division, needed_memory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("Figures 5.5 and 5.6: cache as a fraction of the table, and reads per value");
    println!("|A|   cache G=0   cache G=A   reads G=0   reads G=A");
    for boxes in 1..=20 {
        let [none, all] = [0, boxes].map(|fixed| Cremers { boxes, fixed }.figures());
        println!("{boxes:3} {:11.4} {:11.6} {:11.4} {:11.4}", none.cache, all.cache, none.misses, all.misses);
    }
    println!("\nFigures 5.7 and 5.8: Yahtzee, |A| = 13, |B| = 51,200 values of 8 bytes");
    println!("|G|  classes   cache/MiB   reads");
    for fixed in 0..=13 {
        let cremers = Cremers { boxes: 13, fixed };
        let cache = (cremers.cache() * 51_200 * 8) as f64 / f64::from(1 << 20);
        println!("{fixed:3} {:8} {cache:11.1} {:7.3}", cremers.classes(), cremers.misses());
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((rules, caches)) = arguments.split_first() else { return Ok(()) };
    let game = Game::preset(rules)?;
    let states = game.space().states();
    // Without the sixteen ones before each curve, and the sixteen zeros after it.
    let bounded = reach_cells(&game, &ReachableStates::all(), usize::MAX, &Work::silent())? - 32 * states;
    let boxes = game.space().boxes() as u32;
    println!("\n{rules}: values read per value of the table");
    println!("|G|   (5.11)   inputs   read   memory/MiB   extra/MiB   (5.8)/%   inputs and part/%");
    for fixed in 0..=game.rules().upper_boxes().len() {
        let least = needed_memory::<f32>(&Partition::with_fixed(&game, fixed));
        let extra = caches.iter().map(|mib| mib.parse::<usize>()).collect::<Result<Vec<_>, _>>()?;
        for extra in std::iter::once(0).chain(extra) {
            let folder = std::env::temp_dir().join(format!("keepers-cremers-{}", std::process::id()));
            let store =
                ObjectFolder::open(folder.to_str().ok_or("the temporary folder has a strange name")?)?;
            let store = CurveStore::create(store, &game, Division::Fixed(fixed))?;
            let solved = store.solve(least + (extra << 20), &Silent);
            drop(store);
            std::fs::remove_dir_all(&folder)?;
            let (computed, solved) = solved.map(|solved| (solved.computed, solved.summary))?;
            if fixed == 0 && extra == 0 {
                println!(
                    "values within the bounds: {bounded}, computed: {computed}, stored: {}",
                    solved.values
                );
            }
            let cremers = Cremers { boxes, fixed: fixed as u32 };
            let per_value = |values: u64| values as f64 / solved.values as f64;
            println!(
                "{fixed:3} {:8.3} {:8.3} {:6.3} {:12} {extra:11} {:9.1} {:12.1}",
                cremers.misses(),
                per_value(solved.inputs.hit_values + solved.inputs.missed_values),
                per_value(solved.inputs.missed_values),
                least >> 20,
                100.0 * cremers.figures().cache,
                100.0 * per_value(solved.inputs.most_needed_values),
            );
        }
    }
    Ok(())
}
