//! All requests that Keepers answers, as JSON or as Rust values, without transport.
//!
//! A [`Service`] answers [`Question`]s. The program, the server and every binding call it, so a question has the same
//! answer everywhere, to the last bit.
//!
//! ```
//! use keepers::{Engine, Silent, Store};
//! use keepers_api::{AdviseRequest, Question, Service};
//!
//! let service = Service::new(Engine::new(Store::none()));
//! let request = AdviseRequest { rules: "yacht".into(), roll: "66661".into(), ..Default::default() };
//! let answer = request.answer(&service, &Silent).unwrap();
//! assert_eq!(answer.choices.len(), 10);
//!
//! let json = br#"{"rules": "yacht", "card": "1=3"}"#;
//! let answer = service.ask("value", json, &Silent).unwrap();
//! assert!(answer.starts_with(br#"{"card":"1=3","value":"#));
//!
//! let refusal = service.ask("value", br#"{"card": "fh=24,zz=1"}"#, &Silent).unwrap_err();
//! assert_eq!(refusal.problems.len(), 2);
//! ```

mod advise;
mod card;
mod choose;
mod compare;
mod cost;
mod describe;
mod distribution;
mod duel;
mod equilibrium;
mod field_path;
mod fields;
mod games;
mod likeness;
mod limits;
mod matches;
mod measure;
mod outlook;
mod players;
mod puzzle;
mod question;
mod reach;
mod refusal;
mod review;
mod roll;
mod rules;
mod seed;
mod service;
mod simulate;
mod solve;
mod states;
mod tournament;
mod utilities;
mod value;
mod views;

pub use advise::{AdviseAnswer, AdviseRequest};
pub use card::{CardAnswer, CardRequest, EntryView};
pub use choose::{ChooseAnswer, ChooseRequest};
pub use compare::{CompareAnswer, CompareRequest};
pub use cost::{CostAnswer, CostRequest};
pub use describe::title;
pub use distribution::{
    BoxDistribution, DistributionAnswer, DistributionRequest, OneStrategy, StrategySummary,
};
pub use duel::{DuelAnswer, DuelRequest};
pub use equilibrium::{EquilibriumAnswer, EquilibriumRequest, EquilibriumRound, EquilibriumSize};
pub use fields::PlayedFor;
pub use games::ReadyGame;
pub use likeness::{DisagreementView, LikenessAnswer, LikenessRequest};
pub use limits::Limits;
pub use matches::{LeaguePlayer, MatchAnswer, MatchPlayer, MatchRequest, PlayedMatch, RecordNames};
pub use measure::{MeasureAnswer, MeasureRequest, MeasuredDepth, MeasuredStrategy, read_depths};
pub use outlook::{
    BoxOutlook, ChoiceRequest, KeepChoice, Outlook, OutlookAnswer, OutlookRequest, ScoreChoice,
};
pub use players::{Parameter, PlayerKind, PlayersAnswer, PlayersRequest};
pub use puzzle::{DifficultyName, PuzzleAnswer, PuzzleRequest};
pub use question::Question;
pub use reach::{ReachAnswer, ReachRequest};
pub use refusal::{Kind, Problem, Refusal, RefusalBody};
pub use review::{ReviewRequest, rules_of_record};
pub use roll::{RollAnswer, RollRequest};
pub use rules::{
    BoxView, ExtraView, KnownRules, RulesAnswer, RulesListAnswer, RulesListRequest, RulesRequest,
    UpperBonusView,
};
pub use seed::Seed;
pub use service::{QUESTIONS, Service};
pub use simulate::{BoxSampleView, SimulateAnswer, SimulateRequest};
pub use solve::{SolveAnswer, SolveRequest};
pub use states::{OnePlayerStates, StatesAnswer, StatesRequest, TwoPlayerStates};
pub use tournament::{FollowedStrategy, TiesName, TournamentAnswer, TournamentRequest, TournamentSizeView};
pub use utilities::Utilities;
pub use value::{ValueAnswer, ValueRequest};
pub use views::{
    Aim, ById, ClosenessName, ComparedPair, ComparedPlayer, DecisionKindView, DiceView, DifferenceView, Done,
    FaceView, FactView, GridRow, PERCENTILES, Ranked, ReasonView, ReviewAnswer, ReviewedDecisionView,
    ReviewedPlayer, ReviewedRollView, ReviewedTurnView, ShiftView, ThemeName, TrendView,
};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
