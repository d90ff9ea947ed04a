//! The paths of all questions. Each handler reads a request and passes it to `keepers-api`, which answers it.

use axum::extract::State;
use axum::response::Response;
use keepers::Rules;
use keepers_api::{
    AdviseAnswer, AdviseRequest, CardAnswer, CardRequest, ChooseAnswer, ChooseRequest, CompareAnswer,
    CompareRequest, CostAnswer, CostRequest, DistributionAnswer, DistributionRequest, DuelAnswer,
    DuelRequest, EquilibriumAnswer, EquilibriumRequest, LikenessAnswer, LikenessRequest, MatchAnswer,
    MatchRequest, MeasureAnswer, MeasureRequest, OutlookAnswer, OutlookRequest, PlayersAnswer,
    PlayersRequest, PuzzleAnswer, PuzzleRequest, ReachAnswer, ReachRequest, RefusalBody, ReviewAnswer,
    ReviewRequest, RollAnswer, RollRequest, RulesAnswer, RulesListAnswer, RulesListRequest, RulesRequest,
    SimulateAnswer, SimulateRequest, SolveAnswer, SolveRequest, StatesAnswer, StatesRequest,
    TournamentAnswer, TournamentRequest, ValueAnswer, ValueRequest,
};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::Shared;
use crate::body::JsonBody;
use crate::error::{ApiError, Delays, Refusals};
use crate::job_endpoints::Accepted;
use crate::path_name::PathName;

/// Defines a handler for `POST` per question, and `posts`, which routes all of them.
macro_rules! posts {
    ($($(#[doc = $doc:literal])+ $handler:ident($path:literal, $tag:literal): $request:ident -> $answer:ident, $meaning:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[utoipa::path(post, path = $path, tag = $tag, request_body = $request,
                responses(
                    (status = 200, description = $meaning, body = $answer),
                    (status = 202, description = "the work takes longer: follow the job", body = Accepted),
                    Refusals,
                ))]
            async fn $handler(State(app): State<Shared>, JsonBody(body): JsonBody) -> Result<Response, ApiError> {
                let request: $request = app.service.read(&body)?;
                app.answer(request).await
            }
        )+

        fn posts() -> OpenApiRouter<Shared> {
            OpenApiRouter::new()$(.routes(routes!($handler)))+
        }
    };
}

posts! {
    /// Read rules
    ///
    /// Returns the boxes, bonuses and number of states of a game, given as a preset or as TOML.
    read_rules("/rules", "rules"): RulesRequest -> RulesAnswer, "the game";

    /// Solve a game
    ///
    /// Computes the table of a game, unless it is already stored.
    solve("/solve", "rules"): SolveRequest -> SolveAnswer, "the solved game";

    /// Count the states of a game
    ///
    /// Counts them for one player, or for a game of two with an estimate of the time to solve it.
    states("/states", "rules"): StatesRequest -> StatesAnswer, "the numbers of states";

    /// Show a card
    ///
    /// Returns its total, its boxes and, with a roll, every entry that the rules allow.
    card("/card", "play"): CardRequest -> CardAnswer, "the contents of the card";

    /// Roll the dice
    ///
    /// Equal requests always return equal dice: those of `keepers match --seed`.
    roll("/roll", "play"): RollRequest -> RollAnswer, "the dice";

    /// Let a computer player choose
    choose("/choose", "play"): ChooseRequest -> ChooseAnswer, "the choice of the player";

    /// Play a match
    ///
    /// Plays computer players against each other, at one table or in a league.
    play_match("/match", "play"): MatchRequest -> MatchAnswer, "the results of the match";

    /// Get a puzzle
    ///
    /// Returns a training position in which the best choice is not obvious.
    puzzle("/puzzle", "play"): PuzzleRequest -> PuzzleAnswer, "the position";

    /// Evaluate a card
    value("/value", "advise"): ValueRequest -> ValueAnswer, "the value of the card";

    /// Estimate what an answer costs
    ///
    /// Returns the time and the memory of the tables that have to be solved before a card can be evaluated for an objective.
    cost("/cost", "advise"): CostRequest -> CostAnswer, "the time and the memory";

    /// Rank every choice for a roll
    advise("/advise", "advise"): AdviseRequest -> AdviseAnswer, "every choice, the best first";

    /// Compare choices
    ///
    /// Returns the exact distribution of the final score after each of up to four choices, and the points of each box.
    outlook("/outlook", "advise"): OutlookRequest -> OutlookAnswer, "the outlook of each choice";

    /// Solve a position of two players
    ///
    /// Returns the exact expected result if both players play perfectly.
    duel("/duel", "advise"): DuelRequest -> DuelAnswer, "the value of the position";

    /// Get the best probability of every score
    reach("/reach", "explore"): ReachRequest -> ReachAnswer, "the probabilities";

    /// Get the distribution of the final score under a strategy
    ///
    /// The distribution is exact. Several strategies return one summary each.
    distribution("/distribution", "explore"): DistributionRequest -> DistributionAnswer, "the distribution";

    /// Compare the decisions of two strategies
    ///
    /// Follows the first strategy and returns in how many decisions the other one differs, and what that costs, weighted
    /// exactly with how often each decision occurs.
    likeness("/likeness", "explore"): LikenessRequest -> LikenessAnswer, "the differences";

    /// Solve a tournament
    ///
    /// Returns the best strategy against each number of opponents whose scores are unknown.
    tournament("/tournament", "explore"): TournamentRequest -> TournamentAnswer, "the strategies";

    /// Find the equilibrium of a tournament
    ///
    /// In the equilibrium, every player's strategy is a best response to all others.
    equilibrium("/equilibrium", "explore"): EquilibriumRequest -> EquilibriumAnswer, "the equilibria";

    /// Simulate games
    ///
    /// Plays random games of one strategy.
    simulate("/simulate", "explore"): SimulateRequest -> SimulateAnswer, "the statistics of the games";

    /// Measure players
    ///
    /// Returns the mean loss of players against perfect play in games of two.
    measure("/measure", "explore"): MeasureRequest -> MeasureAnswer, "the mean losses";

    /// Review a recorded game
    ///
    /// Returns the loss of every decision and the luck of every roll.
    review("/review", "review"): ReviewRequest -> ReviewAnswer, "the review";

    /// Compare the players of recorded games
    ///
    /// Returns who is better, by score and by loss, with confidence intervals; how the losses change; and the dice so
    /// far.
    compare("/compare", "review"): CompareRequest -> CompareAnswer, "the comparison";
}

/// List the presets
#[utoipa::path(get, path = "/rules", tag = "rules",
    responses((status = 200, description = "the presets", body = RulesListAnswer), Delays))]
async fn list_rules(State(app): State<Shared>) -> Result<Response, ApiError> {
    app.answer(RulesListRequest {}).await
}

/// Show a preset
#[utoipa::path(get, path = "/rules/{name}", tag = "rules",
    params(("name" = String, Path, description = "the name of the preset", example = "yahtzee")),
    responses(
        (status = 200, description = "the game", body = RulesAnswer),
        (status = 202, description = "the work takes longer: follow the job", body = Accepted),
        (status = 404, description = "unknown preset", body = RefusalBody),
        Delays,
    ))]
async fn named_rules(State(app): State<Shared>, PathName(name): PathName) -> Result<Response, ApiError> {
    if Rules::preset(&name).is_err() {
        let name = keepers::internals::text::quote(&name);
        return Err(ApiError::unknown(format!("unknown rules \"{name}\": see /rules")));
    }
    app.answer(RulesRequest { rules: name }).await
}

/// List the computer players
#[utoipa::path(get, path = "/players", tag = "play",
    responses((status = 200, description = "the players", body = PlayersAnswer), Delays))]
async fn players(State(app): State<Shared>) -> Result<Response, ApiError> {
    app.answer(PlayersRequest {}).await
}

/// Returns the router for all questions.
pub fn routes() -> OpenApiRouter<Shared> {
    posts().routes(routes!(list_rules)).routes(routes!(named_rules)).routes(routes!(players))
}
