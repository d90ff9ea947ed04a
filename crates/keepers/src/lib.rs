//! Keepers plays the Yahtzee family of dice games perfectly and explains why.
//!
//! # What should I keep?
//!
//! ```
//! use keepers::{Engine, Error, Game, Objective};
//!
//! fn main() -> Result<(), Error> {
//!     let game = Game::preset("yahtzee")?;
//!     let engine = Engine::in_memory(); // Engine::cached() also stores its tables in files
//!     let card = game.card("1=3,4=12,fh=25")?;
//!     let advice = engine.advise(&card, game.roll("33566")?, 2, &Objective::Expected)?;
//!     for choice in advice.choices.iter().take(5) {
//!         println!("{choice}");
//!     }
//!     assert_eq!(advice.choices[0].to_string(), "keep 66  241.523");
//!     Ok(())
//! }
//! ```
//!
//! # How likely is a score?
//!
//! ```
//! # use keepers::{Engine, Game};
//! let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
//! let odds = engine.reach(&game.card("")?)?;
//! println!("{}", odds.at_least(200));
//! # assert!((odds.at_least(200) - 0.2).abs() < 0.2);
//! # Ok::<(), keepers::Error>(())
//! ```
//!
//! # How does a player score?
//!
//! ```
//! # use keepers::{Engine, Game};
//! # let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
//! let sample = engine.simulate(&game, "expected".parse()?).games(10_000).seed(1).run()?;
//! println!("{sample}");
//! # assert!((sample.mean() - 166.988).abs() < 2.0);
//! # Ok::<(), keepers::Error>(())
//! ```
//!
//! Players that look at their opponents, such as `emp:1`, play matches instead: [`Engine::match_of`].
//!
//! # Words
//!
//! - A **keep** is the set of dice that stay on the table, an **entry** is points put into a box, and an **action** is
//!   one or the other.
//! - A **value** is what a position is worth under an **objective**: expected points, a probability, or an expected
//!   utility. The **loss** of an action is the value of the best action minus its own.
//! - A **score state** is everything about a card that affects future points. A **table** holds the solved values of all
//!   score states, and the **store** is a folder of tables.
//! - A **strategy** decides turns. A **player** is a strategy with a name: `expected`, `reach:300`, `greedy`, `emp:1`
//!   (expected match points), `dyns:1` (dynamic fixed score), `duel`.
//!
//! `docs/glossary.md` in the repository has all terms.
//!
//! # Threads, memory and time
//!
//! Solves, exact statistics, simulations, matches, measurements and duels run on all threads of the current
//! [rayon](https://docs.rs/rayon) pool; everything else runs on the calling thread. Results do not depend on the number of threads. An [`Engine`] can be
//! shared by any number of threads. If several calls need the same table, it is solved once.
//!
//! | table | Yahtzee on two cores | memory |
//! |---|---|---|
//! | expected scores (advice, values, simulation) | under half a second | 20 MB |
//! | reach curves (values and advice for `reach:S`, odds of all scores, `emp`, `dyns`) | half a minute | 0.8 GB |
//! | one utility (`tournament:N`, distributions of `reach:S`) | one to two minutes | 1.5 GB |
//!
//! [`Limits`] bounds the memory of tables and of running solves. A solve that cannot fit is refused before it starts.
//!
//! # What can fail
//!
//! Every fallible call returns an error that converts to [`Error`] with `?`. Errors about input list all problems at
//! once and say what would be right. Calls that take long accept an [`Observer`] ([`Engine::observed_by`]), which
//! receives their progress and can cancel them; a cancelled call returns an error for which [`Error::is_cancelled`] is
//! true. A failed allocation is an error, not an abort. Damaged table files are detected by their checksums and solved
//! again.
//!
//! # Features
//!
//! - `parallel` (default): solves on all threads; without it, on the calling thread.
//! - `store` (default): stores tables in files and maps large ones into memory; without it, tables are held in memory.
//!
//! Without both, the library builds for `wasm32-unknown-unknown`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod analysis;
mod clock;
mod dice;
mod engine;
mod game;
mod kernel;
mod parallel;
mod players;
mod solve;
mod stats;
mod tables;
mod text;
mod turn;
mod work;

pub use analysis::advise::{Advice, Choice};
pub use analysis::puzzle::Difficulty;
pub use analysis::reasons::{Fact, Reason};
pub use analysis::review::{Grade, Review};
pub use analysis::score_odds::ScoreOdds;
pub use analysis::simulate::Sample;
pub use analysis::theme::Theme;
pub use analysis::tournament::Ties;
pub use dice::random::RandomStream;
pub use dice::{Face, Keep, Roll};
pub use engine::{Engine, Error, Goal, Limits, Match, Simulation, ToGoal};
pub use game::Game;
pub use game::card::{Card, Setup, Standing};
pub use game::objective::Objective;
pub use game::record::Record;
pub use game::rules::{Action, BoxId, Entry, Joker, Pattern, Pays, Rules, RulesBuilder};
pub use kernel::plan::TurnPolicy;
pub use players::{Player, Strategy, TurnContext};
pub use tables::Store;
pub use work::{Observer, Silent, WorkError};

/// What the [`Engine`] accepts and returns for special questions: exact statistics, matches, duels, tournaments, reviews.
pub mod answers {
    pub use crate::analysis::compare::{
        ComparedPlayers, DecisionKind, DiceStatistics, Difference, FaceCount, HeadToHead, Pair,
        PlayerStatistics, ReviewedGame, Trend,
    };
    pub use crate::analysis::equilibrium::{Equilibrium, Round};
    pub use crate::analysis::evaluate::{BoxStatistics, Statistics};
    pub use crate::analysis::likeness::{Disagreement, Likeness};
    pub use crate::analysis::matches::{MatchRules, Outcome, PlayedGame, PlayedTurn};
    pub use crate::analysis::measure::{Experiment, Measured};
    pub use crate::analysis::multiplayer::JudgedEntries;
    pub use crate::analysis::puzzle::Puzzle;
    pub use crate::analysis::reasons::{BonusPace, Closeness, Comparison, Measure, Shift, Split};
    pub use crate::analysis::review::{Decision, ReviewedRoll, ReviewedTurn};
    pub use crate::analysis::same_dice::SameDice;
    pub use crate::analysis::simulate::BoxSample;
    pub use crate::analysis::value::{UtilityValue, ValueFunction};
    pub use crate::engine::{
        Cost, EquilibriumRules, JudgedPosition, SolvedDuel, TournamentResult, TournamentSize,
    };
    pub use crate::game::record::{Position, RecordedTurn, Rolled};
    pub use crate::game::rules::{BoxRule, BoxSet, ByBox, ExtraYahtzee, UpperBonus};
    pub use crate::solve::{DuelCost, Solutions, TwoPlayerCount, UtilityTable};
    pub use crate::tables::{
        CurveSource, CurveStores, ExpectedTable, ReachTable, Shelf, StoredUtility, TableCurve,
    };
}

/// The specific errors that [`Error`] wraps.
pub mod errors {
    pub use crate::analysis::advise::AdviceError;
    pub use crate::analysis::multiplayer::PlayersError;
    pub use crate::dice::DiceError;
    pub use crate::game::card::{CardError, CardProblem, EntryError};
    pub use crate::game::objective::ObjectiveError;
    pub use crate::game::record::{RecordError, RecordProblem};
    pub use crate::game::rules::{RulesError, RulesProblem, UnknownPreset};
    pub use crate::players::PlayerError;
    pub use crate::solve::DuelError;
}

/// What the other crates of the project, its tests and its benchmarks share. Nothing in here is stable: it may change in
/// any release.
#[doc(hidden)]
pub mod internals {
    pub use crate::analysis::{
        advise, compare, equilibrium, evaluate, kernel_speed, likeness, matches, measure, multiplayer,
        normal, puzzle, reasons, review, same_dice, simulate, study, theme, tournament, utility, value,
    };
    pub use crate::dice::{Lattice, random};
    pub use crate::game::{card, objective, record, rules, state, upper};
    pub use crate::kernel::plan;
    pub use crate::tables::store;
    #[cfg(feature = "store")]
    pub use crate::tables::table;
    pub use crate::work::{NoWork, Work, gibibytes};

    macro_rules! publish {
        ($($module:ident)*) => {
            $(pub mod $module {
                pub use crate::$module::*;
            })*
        };
    }
    publish! { clock dice engine parallel players solve tables text turn }
}

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And that of the crate's own README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
