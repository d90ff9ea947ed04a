//! Plays many games of two in lockstep. All games are at the same turn, so the values of all their positions are read
//! from the solution at once, equal positions are planned once, and the turns of eight positions are planned together in
//! the lanes of one fold.

use std::collections::HashMap;
use std::ops::Range;

use super::judge::{Choices, Judge, Judged};
use crate::analysis::matches::play_turn;
use crate::dice::Keep;
use crate::dice::random::{GameDice, RandomStream, RerollTable};
use crate::game::Game;
use crate::game::card::Standing;
use crate::game::rules::{Entry, Filled};
use crate::kernel::plan::{Planner, TieTolerance, TurnPolicy};
use crate::parallel::Threads;
use crate::players::{DependsOn, Strategy, TurnContext};
use crate::solve::{SolutionError, SolvedGame, TurnValues};
use crate::turn::LANES;
use crate::work::{NoProgress, Observer, Work, WorkError};

/// Combined with the seed of the dice into the seeds of the random numbers of players and of their judged choices.
const PLAYER_SEED: u64 = 0x0AB1_7A7E_D1CE_5EED;
const JUDGE_SEED: u64 = 0x5EED_D1CE_0F0D_DC0D;

/// The most blocks of lanes that a thread plans at a time.
const BLOCKS_AT_A_TIME: usize = 16;

/// How the player to move plays, and who is judged.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    /// The strategy that moves; `None` for exact play.
    pub plays: Option<&'a dyn Strategy>,
    /// The strategy whose decisions are judged in exact play. A strategy that moves is always judged.
    pub judged: Option<&'a dyn Strategy>,
}

/// One turn of all games.
pub(super) struct Turn<'a> {
    pub solution: &'a dyn SolvedGame,
    pub throws: &'a RerollTable,
    /// By pairing.
    pub movers: Vec<Mover<'a>>,
    /// The index of the player to move, 0 or 1, and the number of their turns so far.
    pub seat: usize,
    pub round: usize,
    pub seed: u64,
    /// In exact play, only games with smaller numbers are judged.
    pub judged_games: u64,
    /// Losses up to this count as none.
    pub resolution: f64,
}

/// A game in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameInProgress {
    /// The index of the pairing of players.
    pub pairing: u32,
    /// The number of the game, which determines its dice.
    pub number: u64,
    /// The standings in the order of play.
    pub standings: [Standing; 2],
}

/// One game after a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    /// The index of the game.
    pub game: u32,
    pub entry: Entry,
    /// The expected result of the player who moved.
    pub value: f64,
    pub judged: Option<Judged>,
}

/// The distinct positions of some games, in the order of the boxes that the player to move has filled. The games in a
/// position are in the order of their pairings.
struct Positions {
    /// The standings of the player to move and of the other player.
    all: Vec<[Standing; 2]>,
    /// The games in each position: `games[starts[n]..starts[n + 1]]`.
    games: Vec<u32>,
    starts: Vec<usize>,
}

/// The buffers of one thread.
struct Buffers {
    planner: Planner<LANES>,
    judge: Judge,
    filled: Option<Filled>,
    index_of: HashMap<Entry, u16>,
}

fn key(standing: &Standing) -> (u32, bool, u16, u16, u16) {
    let Standing { filled, upper_total, total, extras } = *standing;
    (filled.boxes.bits(), filled.extras_pay, upper_total, total, extras)
}

impl Positions {
    fn of(games: &[GameInProgress], seat: usize) -> Positions {
        let position = |game: u32| {
            let [first, second] = games[game as usize].standings;
            if seat == 0 { [first, second] } else { [second, first] }
        };
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        Threads::All.sort_unstable_by_key(&mut order, |&game| {
            let [mover, other] = position(game);
            (key(&mover), key(&other), games[game as usize].pairing, game)
        });
        let mut found = Positions { all: Vec::new(), games: order, starts: Vec::new() };
        for (nth, &game) in found.games.iter().enumerate() {
            let here = position(game);
            if found.all.last() != Some(&here) {
                found.all.push(here);
                found.starts.push(nth);
            }
        }
        found.starts.push(found.games.len());
        found
    }

    fn games(&self, position: usize) -> &[u32] {
        &self.games[self.starts[position]..self.starts[position + 1]]
    }

    /// Divides the positions into blocks of lanes, all of whose movers have filled the same boxes.
    fn blocks(&self) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = 0;
        for same in self.all.chunk_by(|a, b| a[0].filled == b[0].filled) {
            let end = start + same.len();
            blocks.extend((start..end).step_by(LANES).map(|first| first..end.min(first + LANES)));
            start = end;
        }
        blocks
    }
}

impl Turn<'_> {
    /// Plays the turn in all games. Returns one element per game.
    pub fn play(&self, games: &[GameInProgress], work: &Work<'_>) -> Result<Vec<Played>, SolutionError> {
        let positions = Positions::of(games, self.seat);
        let values = self.solution.turns(&positions.all, work)?;
        let blocks = positions.blocks();
        // A strategy may take milliseconds per turn.
        let has_strategies = self.movers.iter().any(|mover| mover.plays.is_some());
        let at_a_time = if has_strategies { 1 } else { BLOCKS_AT_A_TIME };
        let parts: Vec<&[Range<usize>]> = blocks.chunks(at_a_time).collect();
        let observer = NoProgress(work.observer());
        let game = self.solution.game();
        let buffers = || Buffers {
            planner: Planner::new(game, game.rules().rolls()),
            judge: Judge::new(game),
            filled: None,
            index_of: HashMap::new(),
        };
        let played = Threads::All.map_with(0..parts.len(), buffers, |buffers, nth| {
            work.check()?;
            let mut played = Vec::new();
            for block in parts[nth] {
                self.play_block(
                    block.clone(),
                    (&positions, &values),
                    games,
                    buffers,
                    &observer,
                    &mut played,
                )?;
            }
            Ok(played)
        });
        Ok(played.into_iter().collect::<Result<Vec<Vec<Played>>, WorkError>>()?.concat())
    }

    /// Plans the turn in a block of positions, and plays it in all games that are in these positions.
    fn play_block(
        &self,
        block: Range<usize>,
        (positions, values): (&Positions, &TurnValues),
        games: &[GameInProgress],
        buffers: &mut Buffers,
        observer: &dyn Observer,
        played: &mut Vec<Played>,
    ) -> Result<(), WorkError> {
        let game = self.solution.game();
        let filled = positions.all[block.start][0].filled;
        let Buffers { planner, judge, filled: started, index_of } = buffers;
        if *started != Some(filled) {
            planner.start(game, filled);
            index_of.clear();
            index_of.extend(planner.entries().iter().copied().zip(0..));
            *started = Some(filled);
        }
        let lanes: Vec<&[f64]> = block.clone().map(|position| values.of(position)).collect();
        planner.plan_lanes(game, TieTolerance::DoublePrecision, &lanes);
        let mut last: Vec<Option<(usize, Choices)>> = vec![None; self.movers.len()];
        for (lane, position) in block.enumerate() {
            let standings = &positions.all[position];
            let context = TurnContext { game, standings, mover: 0, observer };
            let pairing = |game: &u32| games[*game as usize].pairing as usize;
            for here in positions.games(position).chunk_by(|a, b| pairing(a) == pairing(b)) {
                let nth = pairing(&here[0]);
                let mut lane =
                    LaneOfTurn { turn: self, mover: self.movers[nth], planner, lane, judge, index_of };
                lane.play(&context, here, games, &mut last[nth], played)?;
            }
        }
        Ok(())
    }

    /// Returns the dice of a game in this turn.
    fn dice(&self, number: u64) -> GameDice {
        let rolls = self.solution.game().rules().rolls();
        let mut dice = GameDice::new(self.seed, 2 * number + self.seat as u64, rolls);
        dice.start_turn(self.round);
        dice
    }

    /// Returns a random stream that belongs to a game and this turn.
    fn random(&self, number: u64, purpose: u64) -> RandomStream {
        let turn = (2 * self.round + self.seat) as u64;
        RandomStream::new(self.seed ^ purpose, number * 64 + turn)
    }
}

/// One planned position.
struct LaneOfTurn<'a, 't> {
    turn: &'a Turn<'t>,
    mover: Mover<'t>,
    planner: &'a Planner<LANES>,
    lane: usize,
    judge: &'a mut Judge,
    index_of: &'a HashMap<Entry, u16>,
}

impl LaneOfTurn<'_, '_> {
    /// Plays the turn in all games of one pairing in a position. `last` has the choices of the last position, by its score state, for
    /// strategies that depend on nothing else.
    fn play(
        &mut self,
        context: &TurnContext<'_>,
        here: &[u32],
        games: &[GameInProgress],
        last: &mut Option<(usize, Choices)>,
        played: &mut Vec<Played>,
    ) -> Result<(), WorkError> {
        let number = |game: u32| games[game as usize].number;
        match self.mover {
            Mover { plays: None, judged } => {
                let judged_games = |game: &u32| number(*game) < self.turn.judged_games;
                let judged = match judged {
                    Some(strategy) if here.iter().any(judged_games) => {
                        let choices = self.choices(strategy, context, number(here[0]), last)?;
                        let best = Choices::best(context.game, self.planner, self.lane);
                        Some(self.judge(context.game, &best, &choices))
                    }
                    _ => None,
                };
                for &game in here {
                    let entry = self.follow(number(game));
                    let judged = judged.filter(|_| judged_games(&game));
                    played.push(self.played(game, entry, judged));
                }
            }
            Mover { plays: Some(strategy), .. } if is_fixed(strategy) => {
                let choices = self.choices(strategy, context, number(here[0]), last)?;
                let judged = self.judge(context.game, &choices, &choices);
                for &game in here {
                    let entry = self.follow_choices(context.game, &choices, number(game));
                    played.push(self.played(game, entry, Some(judged)));
                }
            }
            Mover { plays: Some(strategy), .. } => {
                let mut policy = strategy.plan(context)?;
                for &game in here {
                    // The policy may draw random numbers: the judged choices of different games must be independent.
                    let mut random = self.turn.random(number(game), JUDGE_SEED);
                    let choices = Choices::of(context.game, self.index_of, &mut *policy, &mut random);
                    let judged = self.judge(context.game, &choices, &choices);
                    let entry = self.follow_policy(context.game, &mut *policy, number(game));
                    played.push(self.played(game, entry, Some(judged)));
                }
            }
        }
        Ok(())
    }

    /// Returns the choices of a strategy.
    fn choices(
        &self,
        strategy: &dyn Strategy,
        context: &TurnContext<'_>,
        number: u64,
        last: &mut Option<(usize, Choices)>,
    ) -> Result<Choices, WorkError> {
        let state = context.own().state(context.game);
        let by_state = matches!(strategy.depends_on(), DependsOn::State(_));
        if let Some((known, choices)) = last
            && by_state
            && *known == state
        {
            return Ok(choices.clone());
        }
        let mut random = self.turn.random(number, JUDGE_SEED);
        let mut policy = strategy.plan(context)?;
        let choices = Choices::of(context.game, self.index_of, &mut *policy, &mut random);
        *last = Some((state, choices.clone()));
        Ok(choices)
    }

    fn judge(&mut self, game: &Game, played: &Choices, judged: &Choices) -> Judged {
        self.judge.judge(game, (self.planner, self.lane), played, judged, self.turn.resolution)
    }

    /// Rolls the dice of a game, and keeps what `keep` returns for a roll and the rolls left. Returns the final roll.
    fn roll(&self, number: u64, keep: impl Fn(u16, u8) -> u16) -> u16 {
        let (game, mut dice) = (self.turn.solution.game(), self.turn.dice(number));
        let nothing = game.lattice().index_of(&Keep::NOTHING) as u16;
        let mut roll = dice.throw(self.turn.throws, nothing);
        for left in (1..game.rules().rolls()).rev() {
            let kept = keep(roll, left);
            if kept == roll {
                break;
            }
            roll = dice.throw(self.turn.throws, kept);
        }
        roll
    }

    /// Plays the best choices. Returns the index of the entry.
    fn follow(&self, number: u64) -> u16 {
        let (first, lane) = (self.turn.solution.game().lattice().rolls().start, self.lane);
        let nth = |roll: u16| usize::from(roll) - first;
        let roll = self.roll(number, |roll, left| self.planner.picks(left)[nth(roll)][lane]);
        self.planner.ends()[nth(roll)][lane]
    }

    /// Plays fixed choices. Returns the index of the entry.
    fn follow_choices(&self, game: &Game, choices: &Choices, number: u64) -> u16 {
        choices.entry(game, self.roll(number, |roll, left| choices.keep(game, roll, left)))
    }

    /// Plays the choices of a policy. Returns the index of the entry.
    fn follow_policy(&self, game: &Game, policy: &mut dyn TurnPolicy, number: u64) -> u16 {
        let (mut dice, mut random) = (self.turn.dice(number), self.turn.random(number, PLAYER_SEED));
        let turn = play_turn(game, self.turn.throws, policy, &mut dice, &mut random);
        self.index_of[&turn.entry]
    }

    fn played(&self, game: u32, entry: u16, judged: Option<Judged>) -> Played {
        let value = self.planner.value(entry).0[self.lane];
        Played { game, entry: self.planner.entries()[usize::from(entry)], value, judged }
    }
}

/// Returns whether the choices of a strategy follow from the cards alone.
fn is_fixed(strategy: &dyn Strategy) -> bool {
    matches!(strategy.depends_on(), DependsOn::State(_) | DependsOn::Points(_))
}
