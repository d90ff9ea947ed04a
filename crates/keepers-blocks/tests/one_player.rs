//! One-player tables that are solved in parts: every value has the bits of the table solved in memory.

mod toy;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use keepers::answers::{CurveStores, ExpectedTable};
use keepers::internals::Work;
use keepers::internals::evaluate::{evaluate_expected, evaluate_expected_states};
use keepers::internals::solve::{Partition, ReachCurves, best_utility, reach_curves};
use keepers::{
    Card, Engine, Game, Limits, Objective, Observer, RandomStream, Rules, Silent, Standing, Store,
    TurnContext,
};
use keepers_blocks::one_player::{
    CurveStore, Curves, Division, Keep, SolveSummary, StoredCurves, StoredTables, needed_memory,
};
use keepers_blocks::{ObjectFolder, StoreError};
use toy::store::{Notices, copy, files, tempdir};
use toy::{JOKERS, SIX_FACES, SMALL, Toy, everything};

fn create(path: &Path, game: &Game, fixed: usize) -> CurveStore {
    let folder = ObjectFolder::open(path.to_str().unwrap()).unwrap();
    CurveStore::create(folder, game, Division::Fixed(fixed)).unwrap()
}

/// The least memory with which a game can be solved, if this many boxes are fixed.
fn least_memory(game: &Game, fixed: usize) -> usize {
    needed_memory::<f32>(&Partition::with_fixed(game, fixed))
}

fn solve(path: &Path, game: &Game, fixed: usize) -> SolveSummary {
    create(path, game, fixed).solve(least_memory(game, fixed), &Silent).unwrap().summary
}

fn stored(path: &Path, game: &Game) -> StoredCurves {
    StoredCurves::open(ObjectFolder::open(path.to_str().unwrap()).unwrap(), game).unwrap()
}

/// Compares all stored curves with those solved in memory, bit for bit.
fn assert_same(path: &Path, game: &Game, curves: &ReachCurves) {
    let stored = stored(path, game).with_limit(1 << 20);
    let space = game.space();
    for (nth, group) in space.groups().iter().enumerate() {
        let read = stored.group(nth).unwrap();
        let view = read.group(0);
        assert_eq!(view.windows().len(), space.states_of(group).len());
        for (class, state) in space.states_of(group).enumerate() {
            let curve = curves.curve(state);
            let bits = |values: &[f32]| values.iter().map(|p| p.to_bits()).collect::<Vec<u32>>();
            assert_eq!(view.windows()[class].first, curve.first, "state {state}");
            assert_eq!(bits(view.values(class)), bits(curve.cells), "state {state}");
        }
    }
}

#[test]
fn toys_have_the_bits_of_the_table_in_memory_for_every_fixed_subset() {
    let toys = JOKERS.map(everything).into_iter().chain([SIX_FACES]);
    for toy in toys {
        let game = toy.game();
        let curves = reach_curves(&game, &Work::silent()).unwrap();
        let mut values = Vec::new();
        for fixed in 0..=game.space().boxes() {
            let folder = tempdir();
            let solved = solve(folder.path(), &game, fixed);
            let parts = (game.space().boxes() - fixed + 1) << fixed;
            assert_eq!((solved.parts_solved, solved.parts_done_before), (parts, 0));
            values.push(solved.values);
            assert_same(folder.path(), &game, &curves);
        }
        assert!(values.iter().all(|&count| count == curves.cells().len() as u64), "{values:?}");
    }
}

#[test]
fn whole_yacht_in_little_memory_has_the_bits_of_the_table_in_memory() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let curves = reach_curves(&game, &Work::silent()).unwrap();
    let folder = tempdir();
    let solved = solve(folder.path(), &game, 4);
    assert!(solved.inputs.misses > 0 && solved.inputs.hits > 0, "{:?}", solved.inputs);
    assert_same(folder.path(), &game, &curves);
}

/// Cancels after a number of progress reports.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn progress(&self, _: &str, _: usize, _: usize) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }
}

fn whole(game: &Game, fixed: usize) -> BTreeMap<String, Vec<u8>> {
    let folder = tempdir();
    solve(folder.path(), game, fixed);
    files(folder.path())
}

#[test]
fn a_solve_that_was_interrupted_anywhere_continues() {
    let game = everything(JOKERS[1]).game();
    let fixed = 2;
    let wanted = whole(&game, fixed);
    for patience in 1..12 {
        let folder = tempdir();
        let store = create(folder.path(), &game, fixed);
        let ended = store.solve(least_memory(&game, fixed), &Impatient(AtomicUsize::new(patience)));
        assert!(matches!(ended, Err(StoreError::Work(_))), "{ended:?}");
        let before = files(folder.path()).len();
        assert!(before < wanted.len() && before + 2 >= patience);
        let solved = solve(folder.path(), &game, fixed);
        // Without the description and the manifest.
        assert_eq!(solved.parts_solved + solved.parts_done_before, wanted.len() - 2);
        assert!(solved.parts_done_before + 2 >= patience, "{}", solved.parts_done_before);
        assert!(files(folder.path()) == wanted);
    }
}

#[test]
fn damaged_objects_are_solved_again() {
    let game = everything(JOKERS[2]).game();
    let fixed = 2;
    let wanted = whole(&game, fixed);
    let curves = reach_curves(&game, &Work::silent()).unwrap();
    let name = "layer-02/part-00001.blocks";
    let object = &wanted[name];
    let flipped = |at: usize| {
        let mut bytes = object.clone();
        bytes[at] ^= 4;
        Some(bytes)
    };
    let damages = [
        None,
        Some(Vec::new()),
        Some(object[..object.len() / 2].to_vec()),
        Some(wanted["layer-02/part-00002.blocks"].clone()),
        flipped(20),
        flipped(100),
        flipped(object.len() - 60),
        flipped(object.len() - 30),
    ];
    for damage in damages {
        for is_complete in [true, false] {
            let folder = tempdir();
            copy(&wanted, folder.path());
            match &damage {
                Some(bytes) => fs::write(folder.path().join(name), bytes).unwrap(),
                None => fs::remove_file(folder.path().join(name)).unwrap(),
            }
            if is_complete {
                // Readers solve what is damaged themselves.
                assert_same(folder.path(), &game, &curves);
            } else {
                fs::remove_file(folder.path().join("manifest.json")).unwrap();
                fs::remove_file(folder.path().join("layer-03/part-00001.blocks")).unwrap();
            }
            let notices = Notices::default();
            let solved = create(folder.path(), &game, fixed).solve(least_memory(&game, fixed), &notices);
            assert!(solved.unwrap().summary.parts_solved > 0);
            assert!(files(folder.path()) == wanted);
            solve(folder.path(), &game, fixed);
        }
    }
}

#[test]
fn a_damaged_manifest_is_written_again() {
    let game = SMALL.game();
    let wanted = whole(&game, 1);
    let folder = tempdir();
    copy(&wanted, folder.path());
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    let address = folder.path().to_str().unwrap();
    let opened = StoredCurves::open(ObjectFolder::open(address).unwrap(), &game);
    assert!(matches!(opened, Err(StoreError::DamagedPart { .. })));
    solve(folder.path(), &game, 1);
    assert!(files(folder.path()) == wanted);
}

#[test]
fn bad_requests_have_one_clear_sentence() {
    let game = SMALL.game();
    let refused = |path: &Path, game: &Game, division: Division| {
        let folder = ObjectFolder::open(path.to_str().unwrap()).unwrap();
        let error = CurveStore::create(folder, game, division).err().unwrap();
        assert!(error.is_bad_input(), "{error}");
        error.to_string()
    };
    let folder = tempdir();
    let text = refused(folder.path(), &game, Division::Within(1 << 20));
    assert!(text.contains("raise --memory") && text.contains("0.0 GiB"), "{text}");
    let text = refused(folder.path(), &game, Division::Fixed(40));
    assert!(text.contains("40 cannot be fixed"), "{text}");
    assert!(files(folder.path()).is_empty());

    solve(folder.path(), &game, 1);
    let other = Toy { rolls: SMALL.rolls + 1, ..SMALL }.game();
    let text = refused(folder.path(), &other, Division::Fixed(1));
    assert!(text.contains("belongs to other rules of the same name (small)"), "{text}");
    let store = create(folder.path(), &game, 1);
    let error = store.solve(1 << 20, &Silent).unwrap_err();
    assert!(error.is_bad_input() && error.to_string().contains("raise --memory"), "{error}");

    // A description of a newer version.
    let name = folder.path().join("one-player.json");
    let newer = fs::read_to_string(&name).unwrap().replace("\"format\": 1", "\"format\": 2");
    fs::write(&name, newer).unwrap();
    let text = refused(folder.path(), &game, Division::Fixed(1));
    assert!(text.contains("version 2"), "{text}");
}

fn expected_table(game: &Game) -> Arc<ExpectedTable> {
    Arc::new(Store::none().expected(game, &Silent).unwrap())
}

/// Compares statistics that were added up in another order.
fn assert_close(ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len());
    for (one, other) in ours.iter().zip(theirs) {
        assert!((one - other).abs() <= 1e-12 * other.abs().max(1e-3), "{one} {other}");
    }
}

#[test]
fn distributions_in_parts_agree_with_the_forward_pass() {
    let toys = JOKERS.map(everything).into_iter().chain([SIX_FACES]).map(|toy| toy.game());
    let yacht = Game::new(Rules::preset("yacht").unwrap());
    for game in toys.chain([yacht]) {
        let (table, empty) = (expected_table(&game), Card::empty(&game));
        let wanted = evaluate_expected(&table, &empty, &Work::silent()).unwrap();
        for fixed in [0, 2] {
            let memory = needed_memory::<f64>(&Partition::with_fixed(&game, fixed));
            let folder = tempdir();
            let open = || {
                let folder = ObjectFolder::open(folder.path().to_str().unwrap()).unwrap();
                CurveStore::create_for(Curves::Distribution, folder, &game, Division::Fixed(fixed)).unwrap()
            };
            for patience in [1, 2, 5] {
                let ended = open().distribution(&table, memory, &Impatient(AtomicUsize::new(patience)));
                assert!(matches!(ended, Err(StoreError::Work(_))));
            }
            let (mut probability, _) = open().distribution(&table, memory, &Silent).unwrap();
            // Only the last part and the description are left.
            assert_eq!(files(folder.path()).len(), 2);
            let (again, summary) = open().distribution(&table, memory, &Silent).unwrap();
            assert_eq!((again, summary.parts_solved), (probability.clone(), 0));
            let end = probability.iter().rposition(|p| *p > 0.0).unwrap() + 1;
            probability.truncate(end);
            assert_close(&probability, &wanted.probability);
            let ours = evaluate_expected_states(&table, &empty, probability, &Work::silent()).unwrap();
            assert_close(&[ours.upper_bonus], &[wanted.upper_bonus]);
            assert_close(&ours.extras, &wanted.extras);
            for (ours, wanted) in ours.boxes.values().iter().zip(wanted.boxes.values()) {
                assert_close(&ours.rolls.concat(), &wanted.rolls.concat());
                assert_close(&ours.points.concat(), &wanted.points.concat());
            }
        }
    }
}

#[test]
fn utilities_in_parts_have_the_bits_of_the_table_in_memory() {
    let toys = JOKERS.map(everything).into_iter().chain([SIX_FACES]).map(|toy| toy.game());
    let yacht = Game::new(Rules::preset("yacht").unwrap());
    for game in toys.chain([yacht]) {
        // A utility that is not monotone, too: then more points may be worse.
        let rising: Vec<f64> = (0..60).map(|score| f64::from(score * score) / 7.0).collect();
        let odd: Vec<f64> = (0..60).map(|score| f64::from(score % 7)).collect();
        for utility in [rising, odd] {
            let empty = Card::empty(&game);
            let wanted = best_utility(&game, &empty, &utility, &Work::silent()).unwrap().value();
            for fixed in [0, 3] {
                let partition = Partition::with_fixed(&game, fixed).of_points_so_far();
                let memory = needed_memory::<f64>(&partition);
                let folder = tempdir();
                let curves = Curves::of_utility(&empty, &utility);
                let open = || {
                    let folder = ObjectFolder::open(folder.path().to_str().unwrap()).unwrap();
                    CurveStore::create_for(curves, folder, &game, Division::Fixed(fixed)).unwrap()
                };
                let interrupted = open().best_utility(
                    &empty,
                    &utility,
                    (memory, Keep::LastPart),
                    &Impatient(AtomicUsize::new(3)),
                );
                assert!(matches!(interrupted, Err(StoreError::Work(_))));
                let (value, _) =
                    open().best_utility(&empty, &utility, (memory, Keep::LastPart), &Silent).unwrap();
                assert_eq!(value.to_bits(), wanted.to_bits(), "{value} {wanted}");
                assert_eq!(files(folder.path()).len(), 2);
                let other = open()
                    .best_utility(&empty, &utility[1..], (memory, Keep::LastPart), &Silent)
                    .unwrap_err();
                assert!(other.is_bad_input(), "{other}");
            }
        }
    }
}

#[test]
fn an_engine_reads_stored_curves_instead_of_solving_them() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let folder = tempdir();
    let name = keepers_blocks::two_player::store_name(&game);
    let limits = Limits::default().with_working(1 << 20);
    let tables: Arc<dyn CurveStores> = Arc::new(StoredTables::new(Some(folder.path().into()), Vec::new()));
    let engine = || Engine::with_stores(Store::none(), limits, None, Some(Arc::clone(&tables)));
    let empty = Card::empty(&game);
    let refused = engine().reach(&empty).unwrap_err().to_string();
    assert!(refused.contains("keepers solve --objective reach --memory 8"), "{refused}");

    let path = folder.path().join(name);
    let store = create(&path, &game, 3);
    let cancelled = store.solve(least_memory(&game, 3), &Impatient(AtomicUsize::new(9)));
    assert!(cancelled.is_err());
    assert!(engine().reach(&empty).is_err(), "the table is not complete");
    store.solve(least_memory(&game, 3), &Silent).unwrap();

    let (stored, solved) = (engine(), Engine::in_memory());
    assert_eq!(stored.reach(&empty).unwrap(), solved.reach(&empty).unwrap());
    let card = game.card("1=2,2=4,3=9,4=12").unwrap();
    let roll = game.roll("12344").unwrap();
    assert_eq!(stored.reach_after(&card, roll, 1).unwrap(), solved.reach_after(&card, roll, 1).unwrap());
    assert_eq!(stored.reach_after(&card, roll, 0).unwrap(), solved.reach_after(&card, roll, 0).unwrap());
    let objective = Objective::Reach(180);
    let advice = [&stored, &solved].map(|engine| engine.advise(&card, roll, 2, &objective).unwrap());
    assert_eq!(advice[0].value.to_bits(), advice[1].value.to_bits());
    assert_eq!(advice[0].choices, advice[1].choices);
    // The distribution and a utility, if they were solved in parts.
    let stores = || Arc::clone(&tables);
    assert_eq!(stores().distribution(&game), Ok(None));
    let in_folder = |curves: Curves| {
        let path = folder.path().join(format!(
            "{}-{}",
            curves.name(),
            keepers_blocks::two_player::store_name(&game)
        ));
        let folder = ObjectFolder::open(path.to_str().unwrap()).unwrap();
        CurveStore::create_for(curves, folder, &game, Division::Fixed(2)).unwrap()
    };
    let table = expected_table(&game);
    let (probability, _) = in_folder(Curves::Distribution).distribution(&table, 1 << 30, &Silent).unwrap();
    assert_eq!(stores().distribution(&game), Ok(Some(probability)));
    let utility: Vec<f64> = (0..300).map(|score| f64::from(u8::from(score > 200))).collect();
    let curves = Curves::of_utility(&empty, &utility);
    let goal = keepers::Goal::Utility(utility.clone());
    assert!(engine().value(&empty, &goal).is_err());
    let (value, _) =
        in_folder(curves).best_utility(&empty, &utility, (1 << 30, Keep::LastPart), &Silent).unwrap();
    assert_eq!(engine().value(&empty, &goal).unwrap().to_bits(), value.to_bits());
    assert_eq!(solved.value(&empty, &goal).unwrap().to_bits(), value.to_bits());

    // A player that plays alone for a target, and has reach curves instead of a utility table.
    let play = |engine: &Engine<'_>, player: &str| {
        engine.simulate(&game, player.parse().unwrap()).games(50).seed(3).run().unwrap().mean()
    };
    assert!((play(&stored, "reach:180") - play(&solved, "reach:180")).abs() < 10.0);
}

#[test]
fn advice_and_games_for_a_utility_use_its_stored_table() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let (folder, empty) = (tempdir(), Card::empty(&game));
    let utility: Vec<f64> = (0..260).map(|score| f64::from(score).powi(2)).collect();
    let goal = keepers::Goal::Utility(utility.clone());
    let curves = Curves::of_utility(&empty, &utility);
    let path =
        folder.path().join(format!("{}-{}", curves.name(), keepers_blocks::two_player::store_name(&game)));
    let open = || {
        let folder = ObjectFolder::open(path.to_str().unwrap()).unwrap();
        CurveStore::create_for(curves, folder, &game, Division::Fixed(2)).unwrap()
    };
    let tables: Arc<dyn CurveStores> = Arc::new(StoredTables::new(Some(folder.path().into()), Vec::new()));
    let limits = Limits::default().with_working(1 << 16);
    let engine = || Engine::with_stores(Store::none(), limits, None, Some(Arc::clone(&tables)));
    let (card, roll) = (game.card("1=2,2=4,3=9").unwrap(), game.roll("12344").unwrap());
    let refused = engine().advise(&card, roll, 2, &goal).unwrap_err().to_string();
    assert!(refused.contains("--keep"), "{refused}");

    // The value of the start alone is not enough.
    let (value, _) = open().best_utility(&empty, &utility, (1 << 30, Keep::LastPart), &Silent).unwrap();
    assert!(engine().advise(&card, roll, 2, &goal).is_err());
    let (again, _) = open().best_utility(&empty, &utility, (1 << 30, Keep::AllParts), &Silent).unwrap();
    assert_eq!(again.to_bits(), value.to_bits());
    let whole = files(&path);
    // A complete table stays complete.
    open().best_utility(&empty, &utility, (1 << 30, Keep::LastPart), &Silent).unwrap();
    assert!(files(&path) == whole);

    let solved = Engine::in_memory();
    let wanted = solved.advise(&card, roll, 2, &goal).unwrap();
    let player = |engine: &Engine<'_>| engine.solitaire(&empty, &goal).unwrap();
    let first_turn = |engine: &Engine<'_>| {
        let (player, standings) = (player(engine), [Standing::of(&card)]);
        let context = TurnContext { game: &game, standings: &standings, mover: 0, observer: &Silent };
        let mut plan = player.plan(&context).unwrap();
        plan.keep(roll, 2, &mut RandomStream::new(1, 0)).to_string()
    };
    assert_eq!(first_turn(&engine()), first_turn(&solved));
    let check = |engine: &Engine<'_>| {
        let advice = engine.advise(&card, roll, 2, &goal).unwrap();
        assert_eq!(advice.value.to_bits(), wanted.value.to_bits());
        assert_eq!(advice.choices, wanted.choices);
        assert_eq!(engine.value(&empty, &goal).unwrap().to_bits(), value.to_bits());
    };
    check(&engine());

    // Damaged parts are solved again, with a notice.
    for (name, bytes) in whole.iter().filter(|(name, _)| name.starts_with("layer-08")) {
        fs::write(path.join(name), &bytes[..bytes.len() / 2]).unwrap();
    }
    let notices = Notices::default();
    check(&engine().observed_by(&notices));
    assert!(notices.all().iter().any(|notice| notice.contains("is damaged")), "{:?}", notices.all());
}
