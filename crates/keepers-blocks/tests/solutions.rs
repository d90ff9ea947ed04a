//! Engines that read stored two-player games: the same bits as a solve from the position, and one notice for a store that
//! cannot be used.

mod toy;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use keepers::answers::Solutions;
use keepers::{Card, Engine, Game, Limits, Rules, Store};
use keepers_blocks::two_player::{StoredSolutions, store_name};
use keepers_blocks::{Encoding, ObjectFolder};
use toy::store::{DOUBLE, Notices, SINGLE, copy, files, open, solve, tempdir};
use toy::{Joker, SMALL, everything};

/// Cards of the player to move and of the other player, of the toy game with five boxes. None of the results is decided.
const POSITIONS: [(&str, &str); 6] = [
    ("", ""),
    ("", "3=3"),
    ("3=6", "y=15"),
    ("3=6,y=15", "s=12,p=25,c=7"),
    ("3=6,s=12,p=25,y=0", "3=6,s=12,p=25,c=5"),
    ("3=3,s=0,p=25,y=15", "3=3,s=12,p=25,c=5"),
];

fn game() -> Game {
    everything(Joker::Forced).game()
}

fn cards(game: &Game, (mover, other): (&str, &str)) -> [Card; 2] {
    [mover, other].map(|card| game.card(card).unwrap())
}

/// An engine that reads the solutions in a folder of stores and in single stores.
fn engine(folder: Option<&Path>, stores: &[&Path], pause: Duration) -> Engine<'static> {
    let stores = stores.iter().map(|path| path.display().to_string()).collect();
    let solutions = StoredSolutions::new(folder.map(Into::into), stores).with_pause(pause);
    let solutions: Arc<dyn Solutions> = Arc::new(solutions);
    Engine::with_stores(Store::none(), Limits::default(), Some(solutions), None)
}

/// How many of the positions an engine reads from a store. All of them must have the bits of a solve.
fn stored_positions(engine: &Engine<'_>, game: &Game) -> usize {
    let solver = Engine::in_memory();
    let roll = game.roll("133").unwrap();
    let mut stored = 0;
    for position in POSITIONS {
        let cards = cards(game, position);
        let [read, solved] =
            [engine, &solver].map(|engine| engine.duel((&cards[0], &cards[1]), 1 << 30).unwrap());
        assert!(solved.cost().is_some());
        assert_eq!(read.value().to_bits(), solved.value().to_bits(), "{position:?}");
        let advice = [engine, &solver]
            .map(|engine| engine.advise_against(&cards, (roll, 1), Duration::from_secs(60)).unwrap());
        assert!(advice.iter().all(|(_, exact)| *exact));
        assert_eq!(advice[0].0.value.to_bits(), advice[1].0.value.to_bits(), "{position:?}");
        assert_eq!(advice[0].0.choices, advice[1].0.choices, "{position:?}");
        stored += usize::from(read.cost().is_none());
    }
    stored
}

#[test]
fn stored_values_are_exact_to_the_bit() {
    let (game, folder) = (game(), tempdir());
    let path = folder.path().join(store_name(&game));
    assert_eq!(stored_positions(&engine(Some(folder.path()), &[], Duration::ZERO), &game), 0);
    solve(&path, &game, DOUBLE);
    assert_eq!(stored_positions(&engine(Some(folder.path()), &[], Duration::ZERO), &game), POSITIONS.len());
    assert_eq!(stored_positions(&engine(None, &[&path], Duration::ZERO), &game), POSITIONS.len());
}

#[test]
fn below_the_stored_opening_positions_are_solved() {
    let (game, folder, opening) = (game(), tempdir(), tempdir());
    solve(folder.path(), &game, DOUBLE);
    let to = ObjectFolder::open(opening.path().to_str().unwrap()).unwrap();
    open(folder.path(), &game, DOUBLE).publish(8, Encoding::F64, to, &keepers::Silent).unwrap();
    // Layers 8 to 10 are stored. The position with eight open boxes leads to layer 7.
    assert_eq!(stored_positions(&engine(None, &[opening.path()], Duration::ZERO), &game), 2);
}

#[test]
fn a_damaged_store_is_reported_once_and_used_again_after_a_pause() {
    let (game, folder) = (game(), tempdir());
    solve(folder.path(), &game, DOUBLE);
    let whole = files(folder.path());
    for (name, bytes) in whole.iter().filter(|(name, _)| name.ends_with(".blocks")) {
        fs::write(folder.path().join(name), &bytes[..bytes.len() / 2]).unwrap();
    }
    let patient = engine(None, &[folder.path()], Duration::from_secs(3600));
    let impatient = engine(None, &[folder.path()], Duration::ZERO);
    let notices = Notices::default();
    assert_eq!(stored_positions(&patient.observed_by(&notices), &game), 0);
    let [notice] = &notices.all()[..] else { panic!("{:?}", notices.all()) };
    assert!(
        notice.starts_with("no stored solution of everything is used: ") && notice.contains("damaged"),
        "{notice}"
    );
    assert_eq!(stored_positions(&impatient, &game), 0);
    copy(&whole, folder.path());
    assert_eq!(stored_positions(&patient, &game), 0);
    assert_eq!(stored_positions(&impatient, &game), POSITIONS.len());
}

#[test]
fn a_store_that_was_named_in_error_is_reported_once_and_hides_no_other() {
    let (game, folder) = (game(), tempdir());
    let path = |name: &str| folder.path().join(name);
    solve(&path("other"), &SMALL.game(), SINGLE);
    solve(&path("newer"), &game, SINGLE);
    let description = path("newer").join("two-player.json");
    let text = fs::read_to_string(&description).unwrap();
    fs::write(&description, text.replacen("\"format\": 1", "\"format\": 99", 1)).unwrap();
    fs::create_dir(path("cache")).unwrap();
    let missing = path("missing");
    for (store, reason) in [
        (&missing, "has no two-player game: run `keepers two-player solve` with this store first"),
        (
            &path("other"),
            "belongs to the rules small, not to everything: choose another store, or other rules",
        ),
        (&path("newer"), "has version 99 of the format"),
    ] {
        let notices = Notices::default();
        let engine = engine(Some(&path("cache")), &[store], Duration::ZERO);
        assert_eq!(stored_positions(&engine.observed_by(&notices), &game), 0);
        let [notice] = &notices.all()[..] else { panic!("{:?}", notices.all()) };
        assert!(notice.contains(reason), "{notice}");
    }
    assert!(!missing.exists(), "a store that is read was made");
    solve(&path("cache").join(store_name(&game)), &game, DOUBLE);
    let notices = Notices::default();
    let engine = engine(Some(&path("cache")), &[&missing, &path("other")], Duration::ZERO);
    assert_eq!(stored_positions(&engine.observed_by(&notices), &game), POSITIONS.len());
    assert!(notices.all().is_empty(), "{:?}", notices.all());
}

#[test]
fn games_without_a_store_are_not_reported() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let (folder, notices) = (tempdir(), Notices::default());
    let engine = engine(Some(folder.path()), &[], Duration::ZERO);
    let [mover, other] = [
        "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=22",
        "1=3,2=4,3=9,4=8,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=25",
    ]
    .map(|card| game.card(card).unwrap());
    assert!(engine.observed_by(&notices).duel((&mover, &other), 1 << 30).unwrap().cost().is_some());
    assert!(notices.all().is_empty(), "{:?}", notices.all());
}
