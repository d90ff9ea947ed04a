//! Every long-running function reports its progress, and ends early when its observer cancels it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use keepers::answers::{Equilibrium, ExpectedTable, Experiment, MatchRules, ReachTable, UtilityValue};
use keepers::internals::evaluate::{
    ChosenAction, evaluate_expected, evaluate_expected_after, evaluate_utility, evaluate_utility_after,
};
use keepers::internals::kernel_speed::seconds_per_turn;
use keepers::internals::matches::play_match;
use keepers::internals::measure::measure;
use keepers::internals::multiplayer::Multiplayer;
use keepers::internals::players::{
    DuelPlayer, Evaluation, ExactDuels, Expected, Greedy, HumanLike, LookAhead, Random, Utility,
};
use keepers::internals::puzzle::puzzle;
use keepers::internals::review::review;
use keepers::internals::simulate::simulate;
use keepers::internals::solve::{DuelTask, Retain};
use keepers::internals::{NoWork, Work, solve};
use keepers::{
    Action, Card, Difficulty, Game, Observer, Record, Rules, Silent, Standing, Store, Strategy, Ties,
    TurnContext, WorkError,
};

/// Counts progress reports by the name of the work, checks them, and cancels after some of them.
struct Counting {
    /// The number of reports before it cancels.
    patience: usize,
    reports: Mutex<usize>,
    /// The last report of each work.
    last: Mutex<HashMap<String, (usize, usize)>>,
}

impl Counting {
    fn with_patience(patience: usize) -> Counting {
        Counting { patience, reports: Mutex::default(), last: Mutex::default() }
    }

    fn reports(&self) -> usize {
        *self.reports.lock().unwrap()
    }
}

impl Observer for Counting {
    fn progress(&self, work: &str, done: usize, all: usize) {
        // A slow observer: simultaneous reports of several threads may arrive in any order.
        thread::sleep(Duration::from_micros(50 * (done as u64 % 3)));
        // The lock covers the whole report, so that the order in which reports arrive is checked.
        let mut last = self.last.lock().unwrap();
        let (before, of) = last.insert(work.to_string(), (done, all)).unwrap_or((0, all));
        assert!(before <= done && done <= all, "{work}: {done} of {all} after {before}");
        assert_eq!(of, all, "{work}: how much there is to do does not change");
        *self.reports.lock().unwrap() += 1;
    }

    fn is_cancelled(&self) -> bool {
        self.reports() >= self.patience
    }
}

/// Checks that a call ends early if it is cancelled at once or after its first report, and that a complete call reports
/// the progress of exactly these works, each from its beginning to its end.
fn obeys<T>(works: &[&str], call: impl Fn(&dyn Observer) -> Result<T, WorkError>) {
    for patience in [0, 1] {
        let observer = Counting::with_patience(patience);
        assert_eq!(call(&observer).err(), Some(WorkError::Cancelled), "cancelled after {patience} reports");
        // Each thread may be about to report when the work is cancelled.
        let most = patience + rayon::current_num_threads();
        assert!(observer.reports() <= most, "{} reports, but {patience} to wait for", observer.reports());
    }
    reports_all(works, call);
}

/// Checks that a complete call reports the progress of exactly these works, each from its beginning to its end.
fn reports_all<T>(works: &[&str], call: impl Fn(&dyn Observer) -> Result<T, WorkError>) {
    let observer = Counting::with_patience(usize::MAX);
    assert!(call(&observer).is_ok());
    let last = observer.last.lock().unwrap();
    for work in works {
        let (done, all) = last.get(*work).unwrap_or_else(|| panic!("{work} is reported: {last:?}"));
        assert_eq!(done, all, "{work} is reported to its end");
    }
    assert_eq!(last.len(), works.len(), "nothing else is reported: {last:?}");
}

/// As [`obeys`], for a call that takes a piece of work.
fn works<T>(call: impl Fn(&Work<'_>) -> Result<T, WorkError>) {
    obeys(&["testing"], |observer| call(&Work::new(observer, "testing")));
}

fn preset(name: &str) -> Game {
    Game::new(Rules::preset(name).unwrap())
}

fn expected(game: &Game) -> Arc<ExpectedTable> {
    Arc::new(Store::none().expected(game, &Silent).unwrap())
}

fn reach(game: &Game) -> Arc<ReachTable> {
    Arc::new(Store::none().reach(game, &Silent).unwrap())
}

/// A target that is sometimes reached.
fn target() -> Vec<f64> {
    (0..=170).map(|score| f64::from(u8::from(score == 170))).collect()
}

fn best(game: &Game, card: &Card) -> UtilityValue {
    let table = solve::best_utility(game, card, &target(), &Work::silent()).unwrap();
    UtilityValue { game: game.clone(), table: Arc::new(table) }
}

/// Two players of Yacht with four open boxes each.
fn position(game: &Game) -> [Card; 2] {
    ["1=3,2=6,3=9,5=15,fh=24,4k=16,ls=30,bs=0", "2=6,3=9,4=8,5=15,4k=0,ls=30,bs=30,ch=20"]
        .map(|card| Card::parse(game, card).unwrap())
}

/// The context of the first of these players before the next turn.
fn context<'a>(game: &'a Game, standings: &'a [Standing], observer: &'a dyn Observer) -> TurnContext<'a> {
    TurnContext { game, standings, mover: 0, observer }
}

#[test]
fn solving_for_the_expected_score() {
    let game = preset("yahtzee");
    works(|work| solve::expected_scores(&game, work));
    let mut table = vec![0.0; game.space().states()];
    let table = Mutex::new(&mut table);
    works(|work| solve::expected_scores_into(&game, &mut table.lock().unwrap(), work));
    obeys(&["solving yahtzee"], |observer| Store::none().expected(&game, observer));
}

#[test]
fn solving_for_every_score() {
    let game = preset("yacht");
    works(|work| solve::reach_curves(&game, work));
    works(|work| solve::reach_curves_f64(&game, work));
    obeys(&["solving yacht for every score"], |observer| Store::none().reach(&game, observer));
}

#[test]
fn solving_for_a_utility() {
    let game = preset("yacht");
    works(|work| solve::best_utility(&game, &Card::empty(&game), &target(), work));
}

#[test]
fn counting_the_states_of_two_players() {
    let game = preset("yacht");
    works(|work| solve::count_two_player_game(&game, work));
}

#[test]
fn solving_a_duel() {
    let game = preset("yacht");
    let [mover, other] = position(&game);
    for kept in [Retain::Root, Retain::Children, Retain::Everything] {
        let task = || DuelTask::new(&game, &mover, &other, &Work::silent()).unwrap();
        works(|work| task().solve(kept, work));
        works(|work| task().alone().solve(kept, work));
        works(|work| task().in_small_parts().solve(kept, work));
    }
    let [mover, other] = [mover, other].map(|card| Standing::of(&card));
    obeys(&["solving the rest of the game"], |observer| {
        ExactDuels::up_to(&game, usize::MAX).of(&mover, &other, observer)
    });
    obeys(&["solving the rest of the game"], |observer| {
        ExactDuels::within(&game, Duration::from_secs(3600)).of(&mover, &other, observer)
    });
}

#[test]
fn exact_statistics() {
    let game = preset("yacht");
    let card = Card::parse(&game, "1=2,2=4,fh=20,4k=0").unwrap();
    let (table, best) = (expected(&game), best(&game, &card));
    works(|work| evaluate_expected(&table, &card, work));
    works(|work| evaluate_utility(&game, &best.table, &card, work));
    for action in ["66", "-"].map(|keep| Action::Keep(keep.parse().unwrap())) {
        let chosen = ChosenAction { card: &card, rolls_left: 2, action };
        works(|work| evaluate_expected_after(&table, &chosen, work));
        works(|work| evaluate_utility_after(&best, &chosen, work));
    }
}

#[test]
fn simulated_games() {
    let game = preset("yacht");
    let start = Standing::default();
    let expected = Expected(expected(&game));
    let utility = Utility(best(&game, &Card::empty(&game)).table);
    let players: [(&dyn Strategy, u64); 3] = [(&expected, 200_001), (&utility, 2001), (&Greedy, 2001)];
    for (player, games) in players {
        works(|work| simulate(&game, player, &start, games, 1, work));
        // With so few games, the first report is also the last.
        reports_all(&["testing"], |observer| {
            simulate(&game, player, &start, 100, 1, &Work::new(observer, "testing"))
        });
    }
}

#[test]
fn matches() {
    let game = preset("yacht");
    let reach = reach(&game);
    let (emp, duel) = (LookAhead::new(&reach, Evaluation::Emp, 0), DuelPlayer::new(&reach, 1000));
    let players: [&[&dyn Strategy]; 3] = [&[&Greedy, &Random], &[&Greedy, &Random, &emp], &[&emp, &duel]];
    for players in players {
        let rules = MatchRules { games: 20, seed: 1, same_dice: false };
        works(|work| play_match(&game, players, rules, work, &|_, _| ()));
    }
}

#[test]
fn a_simulated_game_of_a_player_who_searches() {
    /// Searches as if a rival had the same card, then plays a simpler strategy.
    struct Searching(LookAhead);
    impl Strategy for Searching {
        fn plan<'a>(
            &'a self,
            context: &TurnContext<'a>,
        ) -> Result<Box<dyn keepers::TurnPolicy + 'a>, WorkError> {
            let _worth = self.0.value_after_entry(&[*context.own(), *context.own()], 0, context.observer)?;
            Greedy.plan(context)
        }
    }
    let game = preset("yacht");
    let player = Searching(LookAhead::new(&reach(&game), Evaluation::Emp, 0));
    works(|work| simulate(&game, &player, &Standing::default(), 10, 1, work));
}

#[test]
fn measuring_players() {
    let toy = "dice = 2\nfaces = 3\nrolls = 2\n\
        box = [{ id = \"1\", pattern = \"face\", face = 1 }, { id = \"3\", pattern = \"face\", face = 3 },\
        { id = \"y\", pattern = \"sets\", of = [2], pays = 5 }, { id = \"c\", pattern = \"chance\" }]";
    let game = Game::new(Rules::from_toml(toy).unwrap());
    let reach = reach(&game);
    let (emp, human) = (LookAhead::new(&reach, Evaluation::Emp, 1), HumanLike::new(&reach, 100.0));
    let experiment = Experiment { depth: 8, games: 40, seed: 1, memory: 1 << 30 };
    works(|work| measure(&reach, &[&Random, &emp, &human], experiment, None, work));
}

#[test]
fn a_round_of_a_tournament() {
    let game = preset("yacht");
    let others = evaluate_expected(&expected(&game), &Card::empty(&game), &Work::silent()).unwrap();
    let start = Equilibrium::new(10, Ties::Share, &others);
    obeys(&["round 1, finding the best response", "round 1, evaluating the best response"], |observer| {
        let mut play = start.clone();
        let round = play.round(&game, observer);
        assert_eq!(play == start, round.is_err(), "the rounds are as before after an error");
        round
    });
}

#[test]
fn searching_the_next_turns() {
    let game = preset("yacht");
    let reach = reach(&game);
    let standings = position(&game).map(|card| Standing::of(&card));
    for evaluation in [Evaluation::Emp, Evaluation::DynS] {
        let search = LookAhead::new(&reach, evaluation, 1);
        obeys(&["searching the next turns"], |observer| {
            search.entry_values(&context(&game, &standings, observer))
        });
        obeys(&["searching the next turns"], |observer| {
            search.plan(&context(&game, &standings, observer)).map(|_| ())
        });
    }
    let human = HumanLike::new(&reach, 100.0);
    obeys(&["searching the next turns"], |observer| {
        human.plan(&context(&game, &standings, observer)).map(|_| ())
    });
    obeys(&["solving the rest of the game"], |observer| {
        DuelPlayer::new(&reach, usize::MAX).plan(&context(&game, &standings, observer)).map(|_| ())
    });
}

#[test]
fn searching_the_next_turns_of_several() {
    let game = preset("yacht");
    let search = LookAhead::new(&reach(&game), Evaluation::Emp, 1);
    let [own, rival] = position(&game).map(|card| Standing::of(&card));
    let standings = [own, rival, rival];
    assert_eq!(search.plan(&context(&game, &standings, &NoWork)).err(), Some(WorkError::Cancelled));
}

#[test]
fn judging_a_position_and_reviewing_a_game() {
    let game = preset("yacht");
    let reach = reach(&game);
    let standings = position(&game).map(|card| Standing::of(&card));
    obeys(&["solving the rest of the game"], |observer| {
        let judge =
            Multiplayer::within(&game, Duration::from_secs(3600), || Ok(Arc::clone(&reach)), observer);
        judge.value(&standings, 0, 1)
    });
    let mut record = Record::new(&game, &["Ann", "Bob"]).unwrap();
    record.roll(game.lattice().roll(game.lattice().rolls().start)).unwrap();
    let judge = Multiplayer::within(&game, Duration::ZERO, || Ok(Arc::clone(&reach)), &NoWork);
    assert_eq!(review(&game, &record, 0, &judge).err(), Some(WorkError::Cancelled));
}

#[test]
fn measuring_the_pace() {
    let game = preset("yacht");
    works(|work| seconds_per_turn(&game, Duration::from_millis(20), work));
}

#[test]
fn quick_calls_can_be_cancelled_too() {
    let game = preset("yacht");
    let [mover, other] = position(&game);
    let work = Work::new(&NoWork, "");
    let cancelled = Some(WorkError::Cancelled);
    assert_eq!(solve::reach_cells(&game, &solve::ReachableStates::all(), usize::MAX, &work).err(), cancelled);
    assert_eq!(solve::utility_cells(&game, &mover, &work).err(), cancelled);
    let task = DuelTask::new(&game, &mover, &other, &work);
    assert_eq!(task.err(), Some(solve::DuelError::Work(WorkError::Cancelled)));
    let task = DuelTask::new(&game, &mover, &other, &Work::silent()).unwrap();
    assert_eq!(task.cost(Retain::Root, &work).err(), cancelled);
    assert_eq!(puzzle(&expected(&game), 1, (Difficulty::Easy, None), &work).err(), cancelled);
    // A count that was completed is not repeated.
    let cost = task.cost(Retain::Root, &Work::silent()).unwrap();
    assert_eq!(task.cost(Retain::Root, &work), Ok(cost));
}
