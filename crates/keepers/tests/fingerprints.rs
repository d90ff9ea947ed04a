//! A stored table belongs to the fingerprint of its rules: should one of these change, every user's
//! tables are solved again, and if the meaning of rules changes without it, old tables are believed.
//! Change a line of the golden file only together with the scoring it stands for.

use keepers::Rules;
use keepers::internals::rules::PRESETS;

#[test]
fn the_fingerprints_of_the_games_known_by_name_stay_as_they_are() {
    let hex =
        |rules: &Rules| rules.fingerprint()[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let line = |name: &str| format!("{name} {}", hex(&Rules::preset(name).expect("a preset")));
    let now: Vec<String> = PRESETS.iter().map(|preset| line(preset.name)).collect();
    let golden: Vec<&str> = include_str!("golden/fingerprints.txt").lines().collect();
    assert_eq!(now, golden);
}
