//! The engine with many callers: shared tables are solved once, memory is limited, and every call can be cancelled.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use keepers::answers::Statistics;
use keepers::internals::NoWork;
use keepers::{
    Card, Engine, Error, Game, Goal, Limits, Observer, Player, Record, Roll, Rules, Silent, Store, WorkError,
};

fn game(name: &str) -> Game {
    Game::new(Rules::preset(name).unwrap())
}

/// Rules of 6 dice with an upper bonus and extras, and this many boxes in all.
fn big(boxes: usize) -> Game {
    let mut toml =
        "name = \"big\"\ndice = 6\nfaces = 6\nrolls = 3\n[upper_bonus]\nthreshold = 84\npoints = 50\n\
                    [extra]\nbox = \"y\"\npoints = 1000\njoker = \"used\"\n\
                    [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [6]\npays = 50\n"
            .to_string();
    for face in 1..=6 {
        toml += &format!("[[box]]\nid = \"{face}\"\npattern = \"face\"\nface = {face}\n");
    }
    for nth in 7..boxes {
        toml += &format!("[[box]]\nid = \"c{nth}\"\npattern = \"chance\"\n");
    }
    Game::new(Rules::from_toml(&toml).unwrap())
}

/// Records the names of works, and cancels on demand.
#[derive(Default)]
struct Caller {
    cancelled: AtomicBool,
    cancel_at_first_report: bool,
    reports: AtomicUsize,
    /// The number of calls of `is_cancelled`.
    looks: AtomicUsize,
    works: Mutex<HashSet<String>>,
    notices: Mutex<Vec<String>>,
}

impl Observer for Caller {
    fn progress(&self, work: &str, _: usize, _: usize) {
        self.reports.fetch_add(1, Ordering::Relaxed);
        self.works.lock().unwrap().insert(work.to_string());
        if self.cancel_at_first_report {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn notice(&self, text: &str) {
        self.notices.lock().unwrap().push(text.to_string());
    }

    fn is_cancelled(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[test]
fn callers_that_ask_at_the_same_time_share_one_table() {
    let engine = Engine::new(Store::none());
    let game = game("yacht");
    let tables: Vec<_> = std::thread::scope(|scope| {
        let ask = || engine.reach_table(&game).unwrap();
        let callers: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    });
    assert!(tables.iter().all(|table| Arc::ptr_eq(table, &tables[0])));
}

#[test]
fn answers_from_memory_need_no_work_and_all_others_are_cancelled_at_once() {
    let engine = Engine::new(Store::none());
    let game = game("yacht");
    let empty = Card::empty(&game);
    let value = |observer: &dyn Observer| engine.observed_by(observer).value(&empty, &Goal::Score);
    assert_eq!(value(&NoWork), Err(Error::Work(WorkError::Cancelled)));
    let solved = value(&Silent).unwrap();
    assert_eq!(value(&NoWork), Ok(solved));
    assert!(engine.observed_by(&NoWork).value(&empty, &Goal::Target(200)).unwrap_err().is_cancelled());
}

#[test]
fn the_cache_is_limited_by_bytes_and_can_be_freed() {
    let limits = Limits::default().with_kept(100 << 10);
    let engine = Engine::limited(Store::none(), limits);
    // Each of these tables has 32 KiB. The points must differ, because rules that differ only in their name share a
    // table.
    for pays in 20..30 {
        engine.expected_table(&yacht_that_pays(pays)).unwrap();
        assert!(engine.bytes() <= 100 << 10, "{}", engine.bytes());
    }
    assert!(engine.bytes() > 60 << 10);
    engine.shrink(0);
    assert_eq!(engine.bytes(), 0);
}

/// The rules of Yacht with other points for straights.
fn yacht_that_pays(straights: u8) -> Game {
    let toml = Rules::preset("yacht").unwrap().to_toml().replace("pays = 30", &format!("pays = {straights}"));
    Game::new(Rules::from_toml(&toml).unwrap())
}

#[test]
fn curves_beyond_the_limit_stay_beside_small_tables() {
    const KEPT: usize = 100 << 10;
    let engine = Engine::limited(Store::none(), Limits::default().with_kept(KEPT));
    let game = game("yacht");
    let empty = game.empty_card();
    let odds = engine.reach(&empty).unwrap();
    let curves = engine.bytes();
    assert!(curves > 2 * KEPT, "{curves}");
    for _ in 0..2 {
        engine.expected_table(&game).unwrap();
        engine.position(&[empty.clone(), empty.clone()], Duration::ZERO).unwrap();
        assert_eq!(engine.observed_by(&NoWork).reach(&empty).unwrap(), odds);
        assert!(engine.bytes() <= curves + KEPT, "{}", engine.bytes());
    }
    // The curves of another game take their place.
    let other = yacht_that_pays(25);
    engine.reach(&other.empty_card()).unwrap();
    assert!(engine.bytes() <= curves + KEPT, "{}", engine.bytes());
    engine.observed_by(&NoWork).reach(&other.empty_card()).unwrap();
    assert!(engine.observed_by(&NoWork).reach(&empty).unwrap_err().is_cancelled());
    engine.shrink(KEPT);
    assert!(engine.bytes() <= KEPT);
}

/// Records the most bytes that an engine holds while it solves a utility.
struct Scales<'a> {
    engine: &'a Engine<'static>,
    most: AtomicUsize,
}

impl Observer for Scales<'_> {
    fn progress(&self, work: &str, _: usize, _: usize) {
        if work.contains("for the utility") {
            self.most.fetch_max(self.engine.bytes(), Ordering::Relaxed);
        }
    }
}

#[test]
fn curves_beyond_the_limit_are_dropped_before_a_solve_that_needs_their_memory() {
    const KEPT: usize = 100 << 10;
    let game = game("yacht");
    let empty = game.empty_card();
    let utility = Goal::Utility((0..=200).map(f64::from).collect());
    let needed = Engine::in_memory().cost(&empty, &utility).unwrap().bytes;
    let held_with = |working: usize| {
        let engine = Engine::limited(Store::none(), Limits::default().with_kept(KEPT).with_working(working));
        engine.reach(&empty).unwrap();
        let curves = engine.bytes();
        let scales = Scales { engine: &engine, most: AtomicUsize::new(0) };
        engine.observed_by(&scales).value(&empty, &utility).unwrap();
        (scales.most.into_inner(), curves)
    };
    let (held, curves) = held_with(needed + (64 << 10));
    assert!(held <= KEPT, "{held} of {curves}");
    let (held, curves) = held_with(needed + curves + (64 << 10));
    assert_eq!(held, curves);
}

#[test]
fn a_table_does_not_hold_the_observer_of_its_solve() {
    let engine = Engine::new(Store::none());
    let game = game("yacht");
    let observer = Arc::new(Caller::default());
    let table = engine.observed_by(&*observer).expected_table(&game).unwrap();
    let curves = engine.observed_by(&*observer).reach_table(&game).unwrap();
    assert_eq!(Arc::strong_count(&observer), 1);
    assert!(table.start() > 0.0 && curves.curve(0).most() == 0);
}

#[test]
fn a_call_that_is_cancelled_returns_cancelled_and_the_next_one_answers() {
    let engine = Engine::new(Store::none());
    let game = game("yahtzee");
    let empty = Card::empty(&game);
    let roll = Roll::parse("33566", 5, 6).unwrap();
    let hasty = Caller { cancel_at_first_report: true, ..Caller::default() };
    let refused = engine.observed_by(&hasty).advise(&empty, roll, 2, &Goal::Score);
    assert!(refused.unwrap_err().is_cancelled());
    let advice = engine.advise(&empty, roll, 2, &Goal::Score).unwrap();
    assert!((advice.value - 253.9353).abs() < 1e-3, "{}", advice.value);
}

#[test]
fn tables_that_are_too_large_are_refused_without_counting_every_state() {
    let limits = Limits::default().with_working(1 << 30);
    let engine = Engine::limited(Store::none(), limits);
    let game = big(20);
    let caller = Caller::default();
    let refused = engine.observed_by(&caller).reach_table(&game).map(|_| ()).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { .. }), "{refused}");
    // A full count calls `is_cancelled` after each of two million groups of states.
    assert!(caller.looks.load(Ordering::Relaxed) < 100);
    let text = refused.to_string();
    assert!(
        text.starts_with("the reach curves of big need ")
            && text.contains("the limit is 1.0 GiB; `keepers solve --objective reach --memory 8`"),
        "{text}"
    );
}

#[test]
fn reach_curves_of_a_late_card_are_solved_alone() {
    // All curves of Yahtzee need more than 700 MiB.
    let engine = Engine::limited(Store::none(), Limits::default().with_working(64 << 20));
    let game = game("yahtzee");
    let early = Card::parse(&game, "1=3").unwrap();
    assert!(matches!(engine.reach(&early).unwrap_err(), Error::TooLarge { .. }));
    let card = Card::parse(&game, "1=3,2=6,3=9,4=12,ss=30,ls=0,ch=22").unwrap();
    let odds = engine.reach(&card).unwrap();
    let precise = engine.precise_reach(&card).unwrap();
    assert!((0..=500).all(|score| (odds.at_least(score) - precise.at_least(score)).abs() < 1e-6));
    // Cards that follow from it, and the objective of a target, need no further work.
    let later = Card::parse(&game, "1=3,2=6,3=9,4=12,ss=30,ls=0,ch=22,y=50").unwrap();
    let roll = Roll::parse("33566", 5, 6).unwrap();
    let advice = engine.observed_by(&NoWork).advise(&later, roll, 2, &Goal::Target(250)).unwrap();
    let best = engine.observed_by(&NoWork).reach_after(&later, roll, 2).unwrap();
    assert!((advice.value - best.at_least(250)).abs() < 1e-6, "{} {}", advice.value, best.at_least(250));
    // A card that does not follow from it is solved again.
    let other = Card::parse(&game, "1=3,2=6,3=9,4=12,ss=30,ls=40,3k=0").unwrap();
    assert!(engine.observed_by(&NoWork).reach(&other).unwrap_err().is_cancelled());
    assert!(engine.reach(&other).unwrap().at_least(200) > 0.0);
}

#[test]
fn cards_are_solved_alone_if_the_curves_of_the_game_exceed_the_limit() {
    let game = game("yacht");
    let (empty, early) = (game.empty_card(), game.card("1=3").unwrap());
    let all = Engine::in_memory();
    let whole = all.cost(&empty, &Goal::Target(150)).unwrap().bytes;
    let odds = all.reach(&early).unwrap();
    assert!(all.observed_by(&NoWork).reach(&empty).is_ok(), "the card leads to many states");

    let few = Engine::limited(Store::none(), Limits::default().with_working(whole / 4 * 3));
    assert!(matches!(few.reach(&empty).unwrap_err(), Error::TooLarge { .. }));
    let cost = few.cost(&early, &Goal::Target(150)).unwrap().bytes;
    assert!(whole / 8 < cost && cost <= whole / 4 * 3, "{cost} of {whole}");
    let alone = few.reach(&early).unwrap();
    assert!((0..=300).all(|score| alone.at_least(score).to_bits() == odds.at_least(score).to_bits()));
    let later = game.card("1=3,6=18").unwrap();
    assert_eq!(few.observed_by(&NoWork).reach(&later), all.reach(&later));
    let too_few = Engine::limited(Store::none(), Limits::default().with_working(whole / 8));
    let refused = too_few.reach(&early).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { .. }));
    assert_eq!(refused, too_few.reach(&empty).unwrap_err());
}

#[test]
fn counting_states_can_be_cancelled() {
    let engine = Engine::limited(Store::none(), Limits::default().with_working(64 << 30));
    let game = big(18);
    for ask in [
        |engine: &Engine, game: &Game, observer: &dyn Observer| {
            engine.observed_by(observer).reach_table(game).map(|_| ())
        },
        |engine: &Engine, game: &Game, observer: &dyn Observer| {
            engine.observed_by(observer).two_player_count(game).map(|_| ())
        },
        |engine: &Engine, game: &Game, observer: &dyn Observer| {
            engine.observed_by(observer).utility_table(&Card::empty(game), &[0.0, 1.0]).map(|_| ())
        },
    ] {
        let caller = Caller::default();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| ask(&engine, &game, &caller));
            std::thread::sleep(Duration::from_millis(300));
            caller.cancelled.store(true, Ordering::Relaxed);
            let error = asked.join().unwrap().unwrap_err();
            assert!(error.is_cancelled(), "{error}");
        });
    }
}

#[test]
fn a_utility_solved_from_an_earlier_card_answers_for_later_ones() {
    let engine = Engine::new(Store::none());
    let game = game("yacht");
    let goal = Goal::Utility((0..=200).map(|score| f64::from(score) / 200.0).collect());
    let first = Caller::default();
    engine.observed_by(&first).value(&Card::empty(&game), &goal).unwrap();
    assert!(first.reports.load(Ordering::Relaxed) > 0);
    let card = Card::parse(&game, "1=2,2=4,3=6").unwrap();
    let (statistics, value) = engine.distribution(&card, &goal).unwrap();
    // Nothing is solved for the later card, and the outlook of a choice equals that of a table solved from that card.
    assert_eq!(engine.observed_by(&NoWork).value(&card, &goal), Ok(value));
    let roll = Roll::parse("33566", 5, 6).unwrap();
    let action = engine.observed_by(&NoWork).advise(&card, roll, 2, &goal).unwrap().choices[0].action;
    let shared = engine.outlooks(&card, (roll, 2), &[action], &goal).unwrap();
    let fresh = Engine::new(Store::none());
    let own = fresh.outlooks(&card, (roll, 2), &[action], &goal).unwrap();
    assert_eq!(shared[0].0.to_bits(), own[0].0.to_bits());
    assert!(shared[0].1 == own[0].1, "the statistics differ");
    let expected: f64 =
        statistics.probability.iter().zip(0..).map(|(p, score)| p * f64::from(score.min(200)) / 200.0).sum();
    assert!((expected - value).abs() < 1e-9);
}

#[test]
fn an_equilibrium_is_continued_where_it_was_cancelled() {
    use keepers::Ties;
    use keepers::answers::EquilibriumRules;
    let directory = tempfile::TempDir::new().unwrap();
    let game = game("yacht");
    let rules = EquilibriumRules { opponents: 2, ties: Ties::Lose, gap: 0.0, rounds: 2, afresh: false };
    let whole = Engine::new(Store::none()).equilibrium(&game, rules).unwrap();
    let engine = Engine::new(Store::at(directory.path()));
    let one = engine.equilibrium(&game, EquilibriumRules { rounds: 1, ..rules }).unwrap();
    assert_eq!(one.rounds.len(), 1);
    let caller = Caller::default();
    let again =
        Engine::new(Store::at(directory.path())).observed_by(&caller).equilibrium(&game, rules).unwrap();
    assert_eq!(again, whole);
    let notices = caller.notices.lock().unwrap();
    assert!(notices.iter().any(|text| text.starts_with("continuing after 1 round")), "{notices:?}");
}

#[test]
fn an_equilibrium_does_not_depend_on_what_the_store_has() {
    use keepers::Ties;
    use keepers::answers::EquilibriumRules;
    let directory = tempfile::TempDir::new().unwrap();
    let game = game("yacht");
    let rules = EquilibriumRules { opponents: 3, ties: Ties::Share, gap: 0.0, rounds: 3, afresh: false };
    let engine = Engine::new(Store::at(directory.path()));
    engine.equilibrium(&game, rules).unwrap();
    let fewer = EquilibriumRules { rounds: 2, ..rules };
    let fresh = Engine::new(Store::none()).equilibrium(&game, fewer).unwrap();
    assert!(engine.equilibrium(&game, fewer).unwrap() == fresh);
    assert_eq!(engine.equilibrium(&game, rules).unwrap().rounds.len(), 3, "all of them are still stored");
}

#[test]
fn the_value_of_a_game_that_is_over_is_its_result() {
    let engine = Engine::new(Store::none());
    let game = game("yacht");
    let full = |fours: u8| {
        let text = format!("1=2,2=4,3=9,4={fours},5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=22,y=0");
        Card::parse(&game, &text).unwrap()
    };
    let value = |cards: &[Card]| engine.position(cards, Duration::from_secs(1)).unwrap().value;
    assert_eq!(value(&[full(12), full(8)]), 1.0);
    assert_eq!(value(&[full(8), full(8)]), 0.5);
    assert_eq!(value(&[full(8), full(12), full(4)]), 0.5);
}

#[test]
fn damaged_rounds_of_an_equilibrium_are_not_used() {
    use keepers::Ties;
    use keepers::answers::EquilibriumRules;
    let directory = tempfile::TempDir::new().unwrap();
    let game = game("yacht");
    let rules = EquilibriumRules { opponents: 2, ties: Ties::Lose, gap: 0.0, rounds: 1, afresh: false };
    Engine::new(Store::at(directory.path())).equilibrium(&game, rules).unwrap();
    let stored = Store::at(directory.path()).list().unwrap();
    let rounds =
        stored.iter().find(|file| file.header.as_ref().unwrap().objective.starts_with("eq-")).unwrap();
    let mut bytes = std::fs::read(&rounds.path).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    std::fs::write(&rounds.path, bytes).unwrap();
    let caller = Caller::default();
    let engine = Engine::new(Store::at(directory.path()));
    engine.observed_by(&caller).equilibrium(&game, rules).unwrap();
    let notices = caller.notices.lock().unwrap();
    assert!(notices.iter().any(|text| text.contains("cannot be used, its cells are damaged")), "{notices:?}");
}

#[test]
fn the_statistics_of_opponents_are_stored_and_damaged_or_foreign_ones_are_not_used() {
    let directory = tempfile::TempDir::new().unwrap();
    let (game, other) = (game("yacht"), yacht_that_pays(25));
    let is_followed =
        |caller: &Caller| caller.works.lock().unwrap().iter().any(|work| work.starts_with("following"));
    let statistics = |game: &Game| {
        let (engine, caller) = (Engine::new(Store::at(directory.path())), Caller::default());
        let knew = engine.observed_by(&caller).knows_opponents(game);
        let statistics = engine.observed_by(&caller).expected_statistics(game).unwrap();
        assert_eq!(knew, !is_followed(&caller));
        (statistics, knew, caller.notices.into_inner().unwrap())
    };
    let fresh = Engine::in_memory().expected_statistics(&game).unwrap();
    let bits = |of: &[f64]| of.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
    let are_fresh =
        |known: &Statistics| *known == *fresh && bits(&known.probability) == bits(&fresh.probability);
    let (first, knew, _) = statistics(&game);
    assert!(are_fresh(&first) && !knew);
    let (second, knew, notices) = statistics(&game);
    assert!(are_fresh(&second) && knew && notices.is_empty(), "{notices:?}");
    statistics(&other);

    let path_of = |game: &Game| {
        let stored = Store::at(directory.path()).list().unwrap().into_iter();
        let mut paths = stored.filter(|file| {
            let header = file.header.as_ref().unwrap();
            header.objective == "statistics" && header.rules == *game.fingerprint()
        });
        paths.next().unwrap().path
    };
    let (path, foreign) = (path_of(&game), std::fs::read(path_of(&other)).unwrap());
    let whole = std::fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for unusable in [flipped, whole[..whole.len() - 8].to_vec(), foreign] {
        std::fs::write(&path, unusable).unwrap();
        let (again, knew, notices) = statistics(&game);
        assert!(are_fresh(&again) && !knew);
        assert!(notices.len() == 1 && notices[0].contains("cannot be used"), "{notices:?}");
        assert_eq!(std::fs::read(&path).unwrap(), whole, "the file is replaced");
    }
}

#[test]
fn estimates_from_the_curves_of_the_cards_have_the_bits_of_those_from_all_curves() {
    let game = Game::preset("yacht").unwrap();
    let cards = [
        game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20").unwrap(),
        game.card("1=3,2=6,3=6,4=8,ls=30,bs=0,ch=22").unwrap(),
        game.card("4=16,5=10,6=12,fh=0,4k=16,y=0,ls=0").unwrap(),
    ];
    let alone = Engine::in_memory();
    let estimated = alone.position(&cards, Duration::ZERO).unwrap();
    assert!(alone.bytes() < 2_000_000, "the curves of the whole game were solved");
    let all = Engine::in_memory();
    all.reach_table(&game).unwrap();
    let from_all = all.position(&cards, Duration::ZERO).unwrap();
    assert_eq!(estimated.value.to_bits(), from_all.value.to_bits());
}

#[test]
fn reviews_solve_curves_only_if_a_position_has_to_be_estimated() {
    let toy = "dice = 2\nfaces = 3\nrolls = 2\n[[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n\
               [[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n\
               [[box]]\nid = \"c\"\npattern = \"chance\"\n";
    let toy = Game::new(Rules::from_toml(toy).unwrap());
    let yacht = game("yacht");
    let long = Duration::from_secs(600);
    for (game, text, time, estimates) in [
        (&toy, "players: A, B\n\nA: 11 1=\nB: 13 c=\nA: 33 3=\n", long, false),
        (&yacht, "players: A, B\n\nA: 33566 6=12\nB: 11234 1=2\n", Duration::ZERO, true),
    ] {
        let record = Record::parse(game, text).unwrap();
        let (engine, caller) = (Engine::in_memory(), Caller::default());
        let reviews = engine.observed_by(&caller).review_against(game, &record, &[0, 1], time).unwrap();
        let is_solved = caller.works.lock().unwrap().iter().any(|work| work.ends_with("for every score"));
        assert_eq!(is_solved, estimates);
        assert!(reviews[0].turns.iter().all(|turn| turn.exact != estimates));
        let with_curves = Engine::in_memory();
        with_curves.reach_table(game).unwrap();
        assert_eq!(with_curves.review_against(game, &record, &[0, 1], time).unwrap(), reviews);
        assert!(
            engine.observed_by(&NoWork).review_against(game, &record, &[0], time).unwrap_err().is_cancelled()
        );
    }
}

#[test]
fn players_choose_the_same_from_the_curves_of_the_cards_and_from_all_curves() {
    let game = Game::preset("yacht").unwrap();
    let cards = [
        game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20").unwrap(),
        game.card("1=3,2=6,3=6,4=8,ls=30,bs=0,ch=22").unwrap(),
        game.card("4=16,5=10,6=12,fh=0,4k=16,y=0,ls=0").unwrap(),
    ];
    let all = Engine::in_memory();
    all.reach_table(&game).unwrap();
    let names = ["emp:1", "dyns:1", "emp:immediate", "human-like:20", "reach:170", "reach:9999", "duel"];
    for (nth, name) in (0..).zip(names) {
        let alone = Engine::in_memory();
        let player: Player = name.parse().unwrap();
        let mut differ = HashSet::new();
        for roll in ["11234", "33566", "44445", "13456"].map(|roll| game.roll(roll).unwrap()) {
            for (seats, rolls_left) in [(&cards[..2], 2), (&cards[..2], 0), (&cards[..], 1)] {
                let mover = usize::from(nth % 2 == 1);
                let choose =
                    |engine: &Engine| engine.choose(&player, (seats, mover), (roll, rolls_left), nth);
                let chosen = choose(&alone).unwrap();
                assert_eq!(choose(&all).unwrap(), chosen, "{name} {roll}");
                differ.insert(format!("{chosen:?}"));
            }
        }
        assert!(differ.len() > 1, "{name}");
        let duels = if name == "duel" { 256 << 20 } else { 0 };
        assert!(alone.bytes() < 2_000_000 + duels, "{name} solved the curves of the whole game");
    }
}

#[test]
fn what_is_known_costs_nothing() {
    let game = Game::preset("yacht").unwrap();
    let engine = Engine::in_memory();
    let (empty, late) = (game.empty_card(), game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0").unwrap());
    let utility = Goal::Utility((0..=200).map(f64::from).collect());
    for goal in [&Goal::Score, &Goal::Target(100), &utility] {
        assert!(engine.cost(&empty, goal).unwrap().bytes > 0, "{goal:?}");
    }
    let [all, few] = [&empty, &late].map(|card| engine.cost(card, &Goal::Target(100)).unwrap());
    assert!(few.bytes * 8 < all.bytes && few.seconds < all.seconds, "{few:?} {all:?}");

    engine.value(&late, &Goal::Target(100)).unwrap();
    assert_eq!(engine.cost(&late, &Goal::Target(120)).unwrap().bytes, 0);
    assert!(engine.cost(&empty, &Goal::Target(120)).unwrap().bytes > 0);
    engine.value(&late, &utility).unwrap();
    assert_eq!(engine.cost(&late, &utility).unwrap().bytes, 0);
    engine.expected_table(&game).unwrap();
    assert_eq!(engine.cost(&empty, &Goal::Score).unwrap().bytes, 0);
}

#[test]
fn distributions_cost_more_than_tables_unless_they_are_kept() {
    let game = Game::preset("yacht").unwrap();
    let engine = Engine::in_memory();
    let empty = game.empty_card();
    let utility = Goal::Utility((0..=200).map(f64::from).collect());
    let both = engine.cost_of_distribution(&empty, &utility).unwrap();
    assert_eq!(both.bytes, engine.cost(&empty, &utility).unwrap().bytes);
    engine.distribution(&empty, &utility).unwrap();
    // The table is kept, and the strategy is followed anew.
    assert!(engine.cost_of_distribution(&empty, &utility).unwrap().bytes > 0);
    assert!(engine.cost_of_distribution(&empty, &Goal::Score).unwrap().bytes > 0);
    engine.distribution(&empty, &Goal::Score).unwrap();
    assert_eq!(engine.cost_of_distribution(&empty, &Goal::Score).unwrap().bytes, 0);
    let beyond = engine.cost_of_distribution(&empty, &Goal::Target(9999));
    assert!(beyond.is_err(), "the target is out of reach");
}
