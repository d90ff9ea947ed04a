//! `keepers choose`: shows the choice of a computer player.

use keepers_api::{ChooseAnswer, ChooseRequest, EntryView};

use crate::args::Choose;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Choose) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let rolls_left = inputs.rolls_left(&rules, args.rolls_left.as_deref());
    let request = ChooseRequest {
        player: args.player.clone(),
        cards: args.cards.clone(),
        mover: args.mover.into(),
        roll: args.roll.clone(),
        rolls_left,
        seed: args.seed.into(),
        rules,
    };
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    let game = session.game(&request.rules)?;
    let rules = game.rules();
    output::text(&match answer {
        ChooseAnswer::Keep { keep } if keep == "-" => "keeps nothing".to_string(),
        ChooseAnswer::Keep { keep } => format!("keeps {keep}"),
        ChooseAnswer::Score(EntryView { score, points, extra, .. }) => {
            let name = rules.box_by_id(&score).map(|id| rules.boxes()[id].name.clone()).unwrap_or(score);
            let extra = match extra {
                0 => String::new(),
                extra => format!(" and {extra} for the extra {}", rules.extra_name()),
            };
            format!("scores {name} for {points}{extra}")
        }
    })
}
