//! A stored table belongs to the fingerprint of its rules. If a fingerprint changes, every user's tables are solved
//! again. If the meaning of rules changes and the fingerprint does not, old tables are used although they are wrong.
//! Change a line of the golden file only together with the scoring of its game.

use keepers::Rules;
use keepers::internals::rules::PRESETS;

#[test]
fn the_fingerprints_of_the_presets_do_not_change() {
    let hex =
        |rules: &Rules| rules.fingerprint()[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let line = |name: &str| format!("{name} {}", hex(&Rules::preset(name).expect("a preset")));
    let now: Vec<String> = PRESETS.iter().map(|preset| line(preset.name)).collect();
    let golden: Vec<&str> = include_str!("golden/fingerprints.txt").lines().collect();
    assert_eq!(now, golden);
}
