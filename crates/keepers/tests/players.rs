//! Players against each other, and against exact play.

use std::collections::HashMap;
use std::sync::Arc;

use keepers::answers::{Experiment, MatchRules, Measured, Outcome, ReachTable};
use keepers::internals::Work;
use keepers::internals::matches::{play_match, play_on};
use keepers::internals::measure::measure;
use keepers::internals::players::{
    DuelPlayer, EXACT_TURNS, Evaluation, Expected, Greedy, HumanLike, LookAhead, Random, Reach,
};
use keepers::internals::random::{GameDice, RerollTable};
use keepers::internals::solve::{DuelTask, Retain};
use keepers::{
    Entry, Game, Keep, Player, RandomStream, Roll, Rules, Silent, Standing, Store, Strategy, TurnContext,
    TurnPolicy, WorkError,
};

const TOY: &str = "dice = 2\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 5\npoints = 4\n\
    [extra]\nbox = \"y\"\npoints = 6\njoker = \"forced\"\n\
    [[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n\
    [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [2]\npays = 5\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";

fn toy() -> (Game, Arc<ReachTable>) {
    let game = Game::new(Rules::from_toml(TOY).unwrap());
    let reach = Arc::new(Store::none().reach(&game, &Silent).unwrap());
    (game, reach)
}

/// Every position in some games between two random players.
fn positions(game: &Game, games: u64) -> Vec<[Standing; 2]> {
    let throws = RerollTable::new(game.lattice());
    let mut found = Vec::new();
    for nth in 0..games {
        let mut dice = [0, 1].map(|seat| GameDice::new(8, 2 * nth + seat, game.rules().rolls()));
        let mut random = RandomStream::new(9, nth);
        let mut standings = [Standing::default(); 2];
        for turn in 0..2 * game.space().boxes() {
            let mover = turn % 2;
            found.push([standings[mover], standings[1 - mover]]);
            let context = TurnContext { game, standings: &standings.clone(), mover, observer: &Silent };
            dice[mover].start_turn(turn / 2);
            let played = keepers::internals::matches::play_turn(
                game,
                &throws,
                &mut *Random.plan(&context).unwrap(),
                &mut dice[mover],
                &mut random,
            );
            standings[mover] = standings[mover].after(game, played.entry);
        }
    }
    found
}

/// The context of the first of these players before the next turn.
fn first_to_move<'a>(game: &'a Game, standings: &'a [Standing]) -> TurnContext<'a> {
    TurnContext { game, standings, mover: 0, observer: &Silent }
}

fn entries(game: &Game, own: &Standing) -> Vec<Entry> {
    game.lattice()
        .rolls()
        .flat_map(|roll| game.rules().entries(own.filled, &game.lattice().keeps()[roll]))
        .collect()
}

#[test]
fn a_search_to_the_end_is_exact_and_a_shallow_one_is_not() {
    let (game, reach) = toy();
    let mut differs = 0;
    for standings @ [own, rival] in positions(&game, 40) {
        let duel = DuelTask::from_standings(&game, &own, &rival, &Work::silent())
            .unwrap()
            .solve(Retain::Everything, &Work::silent())
            .unwrap();
        for evaluation in [Evaluation::Emp, Evaluation::DynS] {
            let deep = LookAhead::new(&reach, evaluation, 8);
            let shallow = LookAhead::new(&reach, evaluation, 0);
            let context = first_to_move(&game, &standings);
            let (deep, shallow) =
                (deep.entry_values(&context).unwrap(), shallow.entry_values(&context).unwrap());
            for entry in entries(&game, &own) {
                let exact = duel.after(&own.after(&game, entry), &rival).unwrap();
                assert!((deep(entry) - exact).abs() < 1e-12);
                differs += usize::from((shallow(entry) - exact).abs() > 1e-3);
            }
        }
    }
    assert!(differs > 100, "{differs}");
}

#[test]
fn a_search_of_all_leads_agrees_with_a_plain_recursion() {
    // A third player who has a full card and loses to both changes nothing: the share of opponents beaten is then the
    // mean of 1 and the result of the duel.
    let (game, reach) = toy();
    let finished = Standing {
        filled: keepers::internals::rules::Filled { boxes: game.rules().all_boxes(), extras_pay: false },
        ..Standing::default()
    };
    let mut seen = 0;
    for [own, rival] in positions(&game, 12) {
        if own.total == 0 || rival.total == 0 {
            continue;
        }
        for depth in 0..4 {
            let search = LookAhead::new(&reach, Evaluation::Emp, depth);
            let two = search.entry_values(&first_to_move(&game, &[own, rival])).unwrap();
            let three = search.entry_values(&first_to_move(&game, &[own, rival, finished])).unwrap();
            for entry in entries(&game, &own) {
                let (a, b) = (two(entry), 2.0 * three(entry) - 1.0);
                assert!((a - b).abs() < 1e-6, "depth {depth}: {a} and {b}");
                seen += 1;
            }
        }
    }
    assert!(seen > 500);
}

/// Plans each position only once.
struct Remembering<'a> {
    inner: &'a dyn Strategy,
    plans: std::sync::Mutex<HashMap<Vec<Standing>, Arc<Choices>>>,
}

/// The keep by rolls left (from 1) and roll, and the entry by final roll.
struct Choices(Vec<HashMap<Roll, Keep>>, HashMap<Roll, Entry>);

struct Remembered(Arc<Choices>);

impl Strategy for Remembering<'_> {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let key = vec![*context.own(), context.standings[1 - context.mover]];
        let lattice = context.game.lattice();
        let all = || lattice.rolls().map(|roll| lattice.roll(roll));
        let mut plans = self.plans.lock().unwrap();
        let choices = plans.entry(key).or_insert_with(|| {
            let mut plan = self.inner.plan(context).unwrap();
            let mut random = RandomStream::new(0, 0);
            let keeps = (1..context.game.rules().rolls())
                .map(|left| all().map(|roll| (roll, plan.keep(roll, left, &mut random))).collect())
                .collect();
            let entries = all().map(|roll| (roll, plan.enter(roll, &mut random))).collect();
            Arc::new(Choices(keeps, entries))
        });
        Ok(Box::new(Remembered(Arc::clone(choices))))
    }
}

impl TurnPolicy for Remembered {
    fn keep(&mut self, roll: Roll, left: u8, _: &mut RandomStream) -> Keep {
        self.0.0[usize::from(left) - 1][&roll]
    }
    fn enter(&mut self, roll: Roll, _: &mut RandomStream) -> Entry {
        self.0.1[&roll]
    }
}

#[test]
fn a_million_games_of_two_exact_players_have_the_exact_mean() {
    let (game, reach) = toy();
    let throws = RerollTable::new(game.lattice());
    let player = DuelPlayer::new(&reach, EXACT_TURNS);
    let remembering = Remembering { inner: &player, plans: std::sync::Mutex::default() };
    let [own, rival] = positions(&game, 3)[2];
    let value =
        player.exact(&own, &rival, &Silent).unwrap().unwrap().duel().unwrap().before(&own, &rival).unwrap();
    assert!(value > 0.05 && value < 0.95);
    let games = 1_000_000;
    let mut dice = [0, 1].map(|seat| GameDice::new(4, seat, game.rules().rolls()));
    let mut random = RandomStream::new(0, 0);
    let (mut sum, mut squares) = (0.0, 0.0);
    for nth in 0..games {
        dice.iter_mut().zip(0..).for_each(|(dice, seat)| dice.restart(2 * nth + seat));
        let seated: [&dyn Strategy; 2] = [&remembering, &remembering];
        let (_, totals) =
            play_on(&game, &throws, &seated, &mut [own, rival], &mut dice, &mut random, &Silent).unwrap();
        let result = if totals[0] > totals[1] {
            1.0
        } else if totals[0] == totals[1] {
            0.5
        } else {
            0.0
        };
        sum += result;
        squares += result * result;
    }
    let mean = sum / games as f64;
    let error = ((squares / games as f64 - mean * mean) / games as f64).sqrt();
    assert!((mean - value).abs() < 4.0 * error, "{mean} and {value} +- {error}");
}

fn play(game: &Game, players: &[&dyn Strategy], games: u64, same_dice: bool) -> Vec<Outcome> {
    play_match(game, players, MatchRules { games, seed: 3, same_dice }, &Work::silent(), &|_, _| ()).unwrap()
}

#[test]
fn matches_add_up_and_do_not_depend_on_threads() {
    let (game, reach) = toy();
    let emp = LookAhead::new(&reach, Evaluation::Emp, 1);
    let dyns = LookAhead::new(&reach, Evaluation::DynS, 0);
    let human = HumanLike::new(&reach, 100.0);
    let target = Reach { table: Arc::clone(&reach), target: 12 };
    let players: [&dyn Strategy; 5] = [&emp, &dyns, &human, &target, &Greedy];
    for count in 2..=5 {
        for same_dice in [false, true] {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| play(&game, &players[..count], 60, same_dice))
            };
            let outcomes = with(1);
            assert_eq!(outcomes, with(2));
            let ranks: f64 = outcomes.iter().map(|outcome| outcome.rank).sum();
            assert!((ranks - (count * (count + 1)) as f64 / 2.0).abs() < 1e-9);
            assert!(outcomes.iter().all(|outcome| outcome.wins + outcome.draws + outcome.losses == 60));
        }
    }
    // A player that remembers solved positions plays the same in whichever order the games are played.
    let with = |threads| {
        let exact = DuelPlayer::new(&reach, EXACT_TURNS);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| play(&game, &[&exact, &emp], 300, false))
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn the_same_player_on_the_same_dice_draws_level() {
    let (game, _) = toy();
    let outcomes = play(&game, &[&Greedy, &Greedy], 200, true);
    assert_eq!((outcomes[0].rank, outcomes[0].rank_error), (1.5, 0.0));
    assert_eq!(outcomes[0].wins, outcomes[1].wins);
    // All rounds had the same result, but the next one might not: the interval must show that.
    let greedy: [&dyn Strategy; 3] = [&Greedy; 3];
    for players in [&greedy[..2], &greedy] {
        let outcome = &play(&game, players, 60 * players.len() as u64, true)[0];
        let share = outcome.wins as f64 / (60 * players.len()) as f64;
        let (low, high) = outcome.win_interval;
        assert!(low < share - 0.01 && share + 0.01 < high, "{share} {low} {high}");
    }
    let (one, all) = (&play(&game, &[&Greedy, &Random], 1, false)[0], &play(&game, &greedy[..2], 2, true)[0]);
    assert!(one.rank_error.is_nan() && one.mean_error.is_nan() && one.deviation.is_nan());
    assert!(all.rank_error.is_nan() && all.deviation.is_finite());
}

#[test]
fn better_players_win_more_and_err_less() {
    let (game, reach) = toy();
    let expected = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
    let emp = LookAhead::new(&reach, Evaluation::Emp, 1);
    let outcomes = play(&game, &[&emp, &Random], 400, false);
    assert!(outcomes[0].rank + 4.0 * outcomes[0].rank_error < outcomes[1].rank);

    let exact = DuelPlayer::new(&reach, EXACT_TURNS);
    let deep = LookAhead::new(&reach, Evaluation::Emp, 8);
    let experiment = Experiment { depth: 8, games: 60, seed: 1, memory: 1 << 30 };
    let players: [&dyn Strategy; 5] = [&Random, &expected, &emp, &exact, &deep];
    let measured = measure(&reach, &players, experiment, None, &Work::silent()).unwrap();
    assert_eq!(measured.len(), 8);
    for (depth, of) in (1..).zip(&measured) {
        assert!(of[3].error < 1e-12 && of[4].error < 1e-12, "depth {depth}: {of:?}");
        assert!(of[2].error <= of[0].error, "depth {depth}: {of:?}");
    }
    let sum = |strategy: usize| measured.iter().map(|of| of[strategy].error).sum::<f64>();
    assert!(sum(2) < sum(1) && sum(1) < sum(0));
}

#[test]
fn positions_that_do_not_fit_into_memory_are_left_out_with_any_number_of_threads() {
    let (_, reach) = toy();
    let with = |memory: usize, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let experiment = Experiment { depth: 5, games: 40, seed: 1, memory };
        pool.install(|| measure(&reach, &[&Random], experiment, None, &Work::silent()).unwrap())
    };
    let games = |measured: &[Vec<Measured>]| measured.iter().map(|of| of[0].games).collect::<Vec<u64>>();
    let whole = with(1 << 30, 2);
    assert_eq!(games(&whole), [40; 5]);
    // The smallest memory in which some of the largest positions fit.
    let sizes = (200..20_000).step_by(200).map(|memory| (memory, with(memory, 1)));
    let (memory, some) = sizes.into_iter().find(|(_, some)| games(some)[4] > 0).unwrap();
    assert_eq!(games(&some), games(&with(memory, 2)));
    assert!(games(&some)[4] < 40 && games(&some)[0] == 40 && games(&some).is_sorted_by(|a, b| a >= b));
    // Positions that are small enough have the same measurements.
    assert_eq!((some[0][0], with(memory, 2)[0][0]), (whole[0][0], whole[0][0]));
}

#[test]
fn players_are_read_and_written_by_name() {
    for name in [
        "random",
        "greedy",
        "felldin-sood",
        "expected",
        "reach:300",
        "tournament:10",
        "dyns:4",
        "emp:0",
        "duel",
        "human-like:100",
        "utility:x.csv",
    ] {
        assert_eq!(name.parse::<Player>().unwrap().to_string(), name);
    }
    for (name, says) in [
        ("emp", "there is no player \"emp\""),
        ("emp:x", "\"x\" is not a depth: write emp:D"),
        ("dyns:31", "from 0 to 30"),
        ("human-like:-1", "not a weight"),
        ("human-like:nan", "not a weight"),
        ("reach:many", "not a score"),
        ("", "there is no player"),
    ] {
        let error = name.parse::<Player>().unwrap_err().to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
}
