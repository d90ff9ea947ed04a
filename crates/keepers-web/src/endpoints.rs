//! The paths of all questions. Each handler reads a request and passes it on; the answers come from `keepers-api`.

use axum::extract::State;
use axum::response::Response;
use keepers::Rules;
use keepers_api::{
    AdviseAnswer, AdviseRequest, CardAnswer, CardRequest, ChooseAnswer, ChooseRequest, DistributionAnswer,
    DistributionRequest, DuelAnswer, DuelRequest, EquilibriumAnswer, EquilibriumRequest, MatchAnswer,
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

/// Makes a handler for `POST` per question, and `posts` with all of them.
macro_rules! posts {
    ($($(#[doc = $doc:literal])+ $handler:ident($path:literal, $tag:literal): $request:ident -> $answer:ident, $meaning:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[utoipa::path(post, path = $path, tag = $tag, request_body = $request,
                responses(
                    (status = 200, description = $meaning, body = $answer),
                    (status = 202, description = "the work takes longer: a job", body = Accepted),
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
    /// A game by a preset's name or by TOML: its boxes, bonuses and states.
    read_rules("/rules", "rules"): RulesRequest -> RulesAnswer, "the game";

    /// Solve a game
    ///
    /// Computes the table of a game, unless it is stored already.
    solve("/solve", "rules"): SolveRequest -> SolveAnswer, "the solved game";

    /// Count the states of a game
    ///
    /// For one player, or for the game of two players with an estimate of the time to solve it.
    states("/states", "rules"): StatesRequest -> StatesAnswer, "the numbers of states";

    /// Show a card
    ///
    /// Its total and its boxes, and every entry that a roll allows.
    card("/card", "play"): CardRequest -> CardAnswer, "what is on the card";

    /// Roll the dice
    ///
    /// Equal requests always have the same dice: those of `keepers match --seed`.
    roll("/roll", "play"): RollRequest -> RollAnswer, "the dice";

    /// Let a computer player choose
    choose("/choose", "play"): ChooseRequest -> ChooseAnswer, "what the player does";

    /// Play a match
    ///
    /// Computer players against each other, at one table or in a league.
    play_match("/match", "play"): MatchRequest -> MatchAnswer, "how the match went";

    /// Make a puzzle
    ///
    /// A position with a decision that matters.
    puzzle("/puzzle", "play"): PuzzleRequest -> PuzzleAnswer, "the position";

    /// Evaluate a card
    value("/value", "advise"): ValueRequest -> ValueAnswer, "the value of the card";

    /// Rank every choice for a roll
    advise("/advise", "advise"): AdviseRequest -> AdviseAnswer, "every choice, the best first";

    /// Compare choices
    ///
    /// The exact distribution of the final score after each of up to four choices, box by box.
    outlook("/outlook", "advise"): OutlookRequest -> OutlookAnswer, "what each choice leads to";

    /// Solve a position of two players
    ///
    /// The exact probability of winning if both play perfectly.
    duel("/duel", "advise"): DuelRequest -> DuelAnswer, "the value of the position";

    /// Get the best probability of every score
    reach("/reach", "explore"): ReachRequest -> ReachAnswer, "the probabilities";

    /// Get the distribution of a strategy's final score
    ///
    /// Exactly, for one strategy or several.
    distribution("/distribution", "explore"): DistributionRequest -> DistributionAnswer, "the distribution";

    /// Solve a tournament
    ///
    /// The best strategies against numbers of opponents whose scores are not seen.
    tournament("/tournament", "explore"): TournamentRequest -> TournamentAnswer, "the strategies";

    /// Find the equilibrium of a tournament
    ///
    /// All players play their best responses to each other.
    equilibrium("/equilibrium", "explore"): EquilibriumRequest -> EquilibriumAnswer, "the equilibria";

    /// Simulate games
    ///
    /// Many games of one strategy with rolled dice.
    simulate("/simulate", "explore"): SimulateRequest -> SimulateAnswer, "the statistics of the games";

    /// Measure players
    ///
    /// How much players lose against perfect play, in games of two.
    measure("/measure", "explore"): MeasureRequest -> MeasureAnswer, "the mean losses";

    /// Review a recorded game
    ///
    /// Every decision with what it cost, and luck apart from skill.
    review("/review", "review"): ReviewRequest -> ReviewAnswer, "the game, judged";
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
        (status = 202, description = "the work takes longer: a job", body = Accepted),
        (status = 404, description = "there is no such preset", body = RefusalBody),
        Delays,
    ))]
async fn named_rules(State(app): State<Shared>, PathName(name): PathName) -> Result<Response, ApiError> {
    if Rules::preset(&name).is_err() {
        let name = keepers::internals::text::quote(&name);
        return Err(ApiError::unknown(format!("there are no rules called \"{name}\": see /rules")));
    }
    app.answer(RulesRequest { rules: name }).await
}

/// List the computer players
#[utoipa::path(get, path = "/players", tag = "play",
    responses((status = 200, description = "the players", body = PlayersAnswer), Delays))]
async fn players(State(app): State<Shared>) -> Result<Response, ApiError> {
    app.answer(PlayersRequest {}).await
}

/// All questions.
pub fn routes() -> OpenApiRouter<Shared> {
    posts().routes(routes!(list_rules)).routes(routes!(named_rules)).routes(routes!(players))
}
