//! `keepers cost`: shows what an answer costs before it is computed.

use keepers_api::CostRequest;

use crate::args::Cost;
use crate::commands::advise::aim;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Cost) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let (aim, against) = aim(&mut inputs, &args.aim);
    let (objective, utility) = (aim.objective, aim.utility);
    let (card, distribution) = (args.card.clone(), args.distribution);
    let request = CostRequest { rules, card, objective, utility, against, distribution };
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    let text = if answer.bytes == 0 {
        "all tables are solved: the answer takes milliseconds".to_string()
    } else {
        let bytes = keepers::internals::text::byte_size(answer.bytes as u128);
        format!("about {:.1} s and {bytes} of memory", answer.seconds)
    };
    output::text(&text)
}
