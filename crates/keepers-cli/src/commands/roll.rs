//! `keepers roll`: rolls dice from a seed.

use keepers_api::RollRequest;

use crate::args;
use crate::commands::puzzle::seed_of;
use crate::dice_art;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &args::Roll) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let seed = seed_of(session, args.seed);
    let request = RollRequest {
        rules,
        seed: seed.into(),
        stream: args.stream,
        turn: args.turn,
        number: args.number,
        keep: args.keep.clone(),
    };
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    let game = session.game(&request.rules)?;
    let roll = keepers::Roll::parse(&answer.roll, game.rules().dice(), game.rules().faces())?;
    output::text(&format!("{}\n\n{} (seed {seed})", dice_art::dice(&roll, None), answer.roll))
}
