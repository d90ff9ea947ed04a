//! The study of a solved game, compared with the expected result of the same players by enumeration of all games.

use std::collections::HashMap;
use std::sync::Arc;

use keepers::internals::Work;
use keepers::internals::solve::{Duel, DuelTask, Retain, SolutionError, SolvedGame, TurnValues};
use keepers::internals::study::{Study, StudyOptions, study};
use keepers::{
    Engine, Entry, Face, Game, Keep, RandomStream, Roll, Rules, Silent, Standing, Strategy, TurnContext,
    TurnPolicy,
};

/// Two dice of three faces with an upper bonus, extra Yahtzees and jokers.
fn toy(rolls: u8) -> Game {
    let toml = format!(
        "dice = 2\nfaces = 3\nrolls = {rolls}\n[upper_bonus]\nthreshold = 6\npoints = 4\n[extra]\nbox = \"y\"\n\
         points = 3\njoker = \"forced\"\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n[[box]]\nid = \"y\"\n\
         pattern = \"sets\"\nof = [2]\npays = 5\n[[box]]\nid = \"c\"\npattern = \"chance\"\n"
    );
    Game::new(Rules::from_toml(&toml).unwrap())
}

fn solve(game: &Game) -> Duel {
    let start = Standing::default();
    let task = DuelTask::from_standings(game, &start, &start, &Work::silent()).unwrap();
    task.solve(Retain::Everything, &Work::silent()).unwrap()
}

fn player(game: &Game, name: &str) -> Arc<dyn Strategy> {
    Engine::in_memory().player(game, &name.parse().unwrap()).unwrap()
}

fn options(games: &[u64]) -> StudyOptions {
    StudyOptions { games: games.to_vec(), exact_games: 20_000, compared_games: 500, seed: 7 }
}

fn study_of(game: &Game, solution: &dyn SolvedGame, names: &[&str], games: u64) -> Study {
    let players: Vec<Arc<dyn Strategy>> = names.iter().map(|name| player(game, name)).collect();
    let strategies: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
    let compared = player(game, "expected");
    study(solution, &*compared, &strategies, &options(&vec![games; names.len()]), &Work::silent()).unwrap()
}

/// Plays all games of a strategy against exact play, from the definitions: dice are ordered, and any of them may be kept.
struct AllGames<'a> {
    game: &'a Game,
    /// Exact values for the player to move.
    exact: HashMap<[Standing; 2], f64>,
    /// Expected results of the strategy: by its standing, that of exact play, and whether the strategy is to move.
    played: HashMap<([Standing; 2], bool), f64>,
}

type Choose<'c> = &'c mut dyn FnMut(&[u8], u8) -> Vec<u8>;

impl AllGames<'_> {
    fn is_full(&self, card: &Standing) -> bool {
        card.open_boxes(self.game).is_empty()
    }

    fn entries(&self, card: &Standing, dice: &[u8]) -> Vec<Standing> {
        let entries = self.game.rules().entries(card.filled, &keep(dice));
        entries.into_iter().map(|entry| card.after(self.game, entry)).collect()
    }

    /// The mean of `end` over all ways in which a turn can go, if `choose` chooses the keeps.
    fn turn(&self, choose: Choose<'_>, end: &mut dyn FnMut(&[u8]) -> f64) -> f64 {
        let rolls = self.game.rules().rolls();
        self.roll(&[], rolls - 1, choose, end)
    }

    fn roll(&self, kept: &[u8], left: u8, choose: Choose<'_>, end: &mut dyn FnMut(&[u8]) -> f64) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for dice in outcomes(kept) {
            all += 1.0;
            let next = if left == 0 { dice.clone() } else { choose(&dice, left) };
            sum +=
                if left == 0 || next == dice { end(&dice) } else { self.roll(&next, left - 1, choose, end) };
        }
        sum / all
    }

    /// The exact value for the player to move.
    fn exact(&mut self, mover: Standing, other: Standing) -> f64 {
        if self.is_full(&mover) {
            return f64::from(i8::from(mover.total > other.total) - i8::from(mover.total < other.total))
                / 2.0
                + 0.5;
        }
        if let Some(value) = self.exact.get(&[mover, other]) {
            return *value;
        }
        let ends = self.ends(mover, other);
        let (mut sum, mut all) = (0.0, 0.0);
        for dice in outcomes(&[]) {
            sum += self.best(&dice, self.game.rules().rolls() - 1, &ends).1;
            all += 1.0;
        }
        self.exact.insert([mover, other], sum / all);
        sum / all
    }

    /// The exact value of each final roll, and the best card after it: the first of equal ones.
    fn ends(&mut self, mover: Standing, other: Standing) -> HashMap<Vec<u8>, (Standing, f64)> {
        let mut ends = HashMap::new();
        for dice in outcomes(&[]) {
            let mut best: Option<(Standing, f64)> = None;
            for card in self.entries(&mover, &dice) {
                let value = 1.0 - self.exact(other, card);
                if best.is_none_or(|(_, most)| value > most + 1e-11) {
                    best = Some((card, value));
                }
            }
            ends.insert(dice, best.unwrap());
        }
        ends
    }

    /// The best keep with these dice and its value: among equal ones the one with fewer dice, then with lower dice.
    fn best(&self, dice: &[u8], left: u8, ends: &HashMap<Vec<u8>, (Standing, f64)>) -> (Vec<u8>, f64) {
        if left == 0 {
            return (dice.to_vec(), ends[dice].1);
        }
        let mut best = (Vec::new(), f64::NEG_INFINITY);
        for kept in [vec![], vec![dice[0]], vec![dice[1]], dice.to_vec()] {
            let all = outcomes(&kept);
            let value =
                all.iter().map(|dice| self.best(dice, left - 1, ends).1).sum::<f64>() / all.len() as f64;
            if value > best.1 + 1e-11 {
                best = (kept, value);
            }
        }
        best
    }

    /// The expected result of the strategy.
    fn played(&mut self, strategy: &dyn Strategy, cards: [Standing; 2], to_move: bool) -> f64 {
        let [own, exact] = cards;
        if self.is_full(&own) && self.is_full(&exact) {
            return self.exact(own, exact);
        }
        if let Some(value) = self.played.get(&(cards, to_move)) {
            return *value;
        }
        let value = if to_move {
            let mut planned = Planned::new(self.game, strategy, &cards);
            let mut after: HashMap<Vec<u8>, f64> = HashMap::new();
            for dice in outcomes(&[]) {
                let card = own.after(self.game, planned.entry(&dice));
                after.insert(dice, self.played(strategy, [card, exact], false));
            }
            self.turn(&mut |dice, left| planned.keep(dice, left), &mut |dice| after[dice])
        } else {
            let ends = self.ends(exact, own);
            let mut after: HashMap<Vec<u8>, f64> = HashMap::new();
            for (dice, (card, _)) in &ends {
                after.insert(dice.clone(), self.played(strategy, [own, *card], true));
            }
            let choose = &mut |dice: &[u8], left: u8| self.best(dice, left, &ends).0;
            self.turn(choose, &mut |dice| after[dice])
        };
        self.played.insert((cards, to_move), value);
        value
    }
}

fn keep(dice: &[u8]) -> Keep {
    dice.iter().map(|&die| Face::new(die).unwrap()).collect()
}

/// All sorted pairs of dice that contain those kept, once per order of the dice that are rolled.
fn outcomes(kept: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![kept.to_vec()];
    for _ in kept.len()..2 {
        all = all.iter().flat_map(|dice| (1..=3).map(move |die| [&dice[..], &[die]].concat())).collect();
    }
    all.iter_mut().for_each(|dice| dice.sort_unstable());
    all
}

fn roll_of(game: &Game, dice: &[u8]) -> Roll {
    game.roll(&dice.iter().map(u8::to_string).collect::<String>()).unwrap()
}

/// The turn of a strategy.
struct Planned<'a>(&'a Game, Box<dyn TurnPolicy + 'a>);

impl<'a> Planned<'a> {
    fn new(game: &'a Game, strategy: &'a dyn Strategy, standings: &'a [Standing; 2]) -> Planned<'a> {
        let context = TurnContext { game, standings, mover: 0, observer: &Silent };
        Planned(game, strategy.plan(&context).unwrap())
    }

    fn keep(&mut self, dice: &[u8], left: u8) -> Vec<u8> {
        let kept = self.1.keep(roll_of(self.0, dice), left, &mut RandomStream::new(0, 0));
        kept.faces().map(|face| face.pips()).collect()
    }

    fn entry(&mut self, dice: &[u8]) -> Entry {
        self.1.enter(roll_of(self.0, dice), &mut RandomStream::new(0, 0))
    }
}

#[test]
fn results_against_exact_play_are_those_of_all_games() {
    for rolls in 1..=3 {
        let game = toy(rolls);
        let solution = solve(&game);
        let names = ["expected", "greedy", "emp:0"];
        let found = study_of(&game, &solution, &names, 4_000);
        assert!((found.value - solution.value()).abs() < 1e-15);
        assert_eq!((found.last_turn, found.strategies.len()), (1, 3));
        for (name, seats) in names.iter().zip(&found.strategies) {
            let strategy = player(&game, name);
            let mut all = AllGames { game: &game, exact: HashMap::new(), played: HashMap::new() };
            let start = [Standing::default(); 2];
            assert!((all.exact(start[0], start[1]) - found.value).abs() < 1e-13);
            for (seat, found) in seats.iter().enumerate() {
                let result = all.played(&*strategy, start, seat == 0);
                let estimate = found.expected_result;
                let of = format!("{name} in seat {seat} with {rolls} rolls: {estimate:?}, but {result}");
                assert!(estimate.error < 2e-3, "{of}");
                assert!((estimate.mean - result).abs() <= 4.5 * estimate.error + 1e-12, "{of}");
                // The games themselves agree, but with far larger errors.
                assert!((found.result.mean - result).abs() < 4.5 * found.result.error, "{of}");
                let [won, drawn, lost] = found.record.unwrap();
                assert_eq!(won + drawn + lost, 4_000);
                assert!((found.result.mean - (won as f64 + drawn as f64 / 2.0) / 4e3).abs() < 1e-12);
                let losses: f64 = found.turns.iter().map(|turn| turn.loss_of_turn.mean).sum();
                assert!((losses - found.loss.mean).abs() < 1e-12);
                // The other player is as good as they can be.
                assert!(found.loss.mean > 0.0 || *name == "emp:0", "{of}");
            }
            // All games start from one position, so the loss of the first turn is exact.
            let value = first_turn(&mut all, &*strategy);
            assert!((found.value - value - seats[0].turns[0].loss_of_turn.mean).abs() < 1e-12, "{name}");
        }
    }
}

/// The value of the game if the strategy plays only its first turn, and both play exactly from then on.
fn first_turn(all: &mut AllGames<'_>, strategy: &dyn Strategy) -> f64 {
    let cards = [Standing::default(); 2];
    let mut planned = Planned::new(all.game, strategy, &cards);
    let mut after: HashMap<Vec<u8>, f64> = HashMap::new();
    for dice in outcomes(&[]) {
        let card = cards[0].after(all.game, planned.entry(&dice));
        after.insert(dice, 1.0 - all.exact(cards[1], card));
    }
    all.turn(&mut |dice, left| planned.keep(dice, left), &mut |dice| after[dice])
}

#[test]
fn exact_play_has_its_value_and_random_players_their_expected_results() {
    let game = toy(2);
    let solution = solve(&game);
    let found = study_of(&game, &solution, &["random", "human-like:5"], 3_000);
    let exact = &found.exact;
    assert_eq!(exact.games, 20_000);
    assert!((exact.result.mean - found.value).abs() < 4.0 * exact.result.error);
    assert!(exact.result.error < 0.004);
    let first = exact.equal_cards[0];
    assert!((first.value.mean - found.value).abs() < 1e-13 && (first.open, first.games) == (3, 500));
    // The compared choices are judged with both players to move, in every turn.
    assert!(
        exact.compared.iter().all(|turns| turns.len() == 3 && turns.iter().all(|turn| turn.games == 500))
    );
    for [first, second] in &found.strategies {
        for seat in [first, second] {
            let error = seat.result.error.hypot(seat.expected_result.error);
            assert!((seat.result.mean - seat.expected_result.mean).abs() < 4.5 * error, "{seat:?}");
            assert!(seat.expected_result.error < seat.result.error);
            assert!(seat.turns.iter().any(|turn| turn.differs > 0.0));
        }
    }
}

#[test]
fn a_study_does_not_depend_on_the_number_of_threads() {
    let game = toy(2);
    let solution = solve(&game);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        format!(
            "{:?}",
            pool.install(|| study_of(&game, &solution, &["expected", "emp:1", "human-like:50"], 300))
        )
    };
    assert_eq!(with(1), with(3));
}

/// A solution of which only some layers are stored.
struct Part<'a>(&'a Duel, usize);

impl SolvedGame for Part<'_> {
    fn game(&self) -> &Game {
        self.0.game()
    }

    fn has_layer(&self, open: usize) -> Result<bool, SolutionError> {
        Ok(open >= self.1 && self.0.has_layer(open)?)
    }

    fn resolution(&self) -> Result<f64, SolutionError> {
        SolvedGame::resolution(self.0)
    }

    fn values(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<Vec<f64>, SolutionError> {
        self.0.values(positions, work)
    }

    fn turns(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<TurnValues, SolutionError> {
        self.0.turns(positions, work)
    }
}

#[test]
fn the_opening_is_studied_as_far_as_it_is_stored() {
    let game = toy(2);
    let solution = solve(&game);
    let all = study_of(&game, &solution, &["greedy"], 500);
    let part = study_of(&game, &Part(&solution, 3), &["greedy"], 500);
    // Layers 3 to 6: the turns of both players with three open boxes, and the first of those with two.
    assert_eq!((part.last_turn, part.exact.record), (4, None));
    let [first, second] = &part.strategies[0];
    assert_eq!((first.turns.len(), second.turns.len(), first.record), (2, 1, None));
    assert_eq!(first.turns[..], all.strategies[0][0].turns[..2]);
    assert_eq!(second.turns[..], all.strategies[0][1].turns[..1]);
    // The value after the last turn replaces the result.
    let error = first.result.error.hypot(first.expected_result.error);
    assert!((first.result.mean - first.expected_result.mean).abs() < 4.5 * error);
    let nothing = Part(&solution, 6);
    let expected = player(&game, "expected");
    let refused = study(&nothing, &*expected, &[], &options(&[]), &Work::silent()).unwrap_err();
    assert!(refused.to_string().contains("no turn can be studied"), "{refused}");
}
