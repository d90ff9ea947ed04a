//! The fingerprint of a rule set: a hash of a canonical encoding.
//!
//! The encoding contains everything that affects values and nothing else. Names, titles and box ids are left out, and
//! so is the text form of the rules. All numbers are little-endian, and every list is preceded by its length, so that
//! different rule sets never have the same encoding.

use super::{Joker, Pattern, Pays, Rules};
use crate::dice::Face;

/// The first bytes of the encoding. Increase the number whenever the encoding or the meaning of rules changes.
const VERSION: &[u8] = b"keepers rules 2";

impl Rules {
    /// Returns a hash of everything that affects values: of dice, boxes and bonuses, not of names, titles and box ids.
    ///
    /// Rule sets with equal fingerprints share their solved tables.
    pub fn fingerprint(&self) -> [u8; 32] {
        *blake3::hash(&self.canonical_encoding()).as_bytes()
    }

    fn canonical_encoding(&self) -> Vec<u8> {
        let mut out = VERSION.to_vec();
        out.extend([self.dice, self.faces, self.rolls]);
        match self.upper_bonus {
            None => out.push(0),
            Some(bonus) => {
                out.push(1);
                out.extend(bonus.threshold.to_le_bytes());
                out.extend(bonus.points.to_le_bytes());
            }
        }
        match &self.extra {
            None => out.push(0),
            Some(extra) => {
                out.extend([1, extra.of.index() as u8]);
                out.extend(extra.points.to_le_bytes());
                out.push(match extra.joker {
                    Joker::None => 0,
                    Joker::Forced => 1,
                    Joker::Free => 2,
                    Joker::Used => 3,
                });
            }
        }
        out.push(self.boxes.values().len() as u8);
        self.boxes.values().iter().for_each(|rule| encode_pattern(&rule.pattern, &mut out));
        out
    }
}

fn encode_pattern(pattern: &Pattern, out: &mut Vec<u8>) {
    match pattern {
        Pattern::Face(face) => out.extend([0, face.pips()]),
        Pattern::Sets { of, same_face, pays } => {
            out.extend([1, of.len() as u8]);
            out.extend(of);
            // With a single set, `same_face` has no effect.
            out.push(u8::from(*same_face && of.len() > 1));
            encode_pays(*pays, out);
        }
        Pattern::Straight { length, from, pays } => {
            out.extend([2, *length, from.map_or(0, Face::pips)]);
            encode_pays(*pays, out);
        }
        Pattern::Chance => out.push(3),
        Pattern::Fallback { first, otherwise } => {
            out.push(4);
            encode_pattern(first, out);
            encode_pattern(otherwise, out);
        }
    }
}

fn encode_pays(pays: Pays, out: &mut Vec<u8>) {
    match pays {
        Pays::All => out.push(0),
        Pays::Matching => out.push(1),
        Pays::Fixed(points) => {
            out.push(2);
            out.extend(points.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::PRESETS;

    #[test]
    fn names_do_not_matter() {
        let toml = Rules::preset("yahtzee").unwrap().to_toml();
        let renamed = toml.replace("Full House", "Boat").replace("id = \"fh\"", "id = \"boat\"");
        let renamed = Rules::from_toml(&renamed.replace("name = \"yahtzee\"", "name = \"ours\"")).unwrap();
        assert_eq!(renamed.fingerprint(), Rules::preset("yahtzee").unwrap().fingerprint());
    }

    #[test]
    fn every_number_and_word_of_a_rules_file_matters() {
        let toml = Rules::preset("yahtzee").unwrap().to_toml();
        let own = Rules::from_toml(&toml).unwrap().fingerprint();
        for (from, to) in [
            ("rolls = 3", "rolls = 2"),
            ("threshold = 63", "threshold = 62"),
            ("points = 35", "points = 36"),
            ("points = 100", "points = 50"),
            ("\"forced\"", "\"free\""),
            ("\"forced\"", "\"used\""),
            ("pays = 25", "pays = 26"),
            ("pays = \"all\"", "pays = \"matching\""),
            ("of = [3, 2]", "of = [2, 2]"),
            ("length = 4", "length = 3"),
            ("same_face = false", "same_face = true"),
        ] {
            let changed = toml.replacen(from, to, 1);
            assert_ne!(changed, toml, "{from} is not in the file");
            assert_ne!(Rules::from_toml(&changed).unwrap().fingerprint(), own, "{from} -> {to}");
        }
    }

    #[test]
    fn dice_and_faces_matter() {
        let fingerprint = |dice, faces| {
            Rules::builder("upper")
                .dice(dice)
                .faces(faces)
                .add_box("ch", "Chance", Pattern::Chance)
                .build()
                .unwrap()
                .fingerprint()
        };
        let all = [fingerprint(5, 6), fingerprint(6, 6), fingerprint(5, 5)];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
    }

    #[test]
    fn presets_differ_from_each_other() {
        let all: Vec<[u8; 32]> =
            PRESETS.iter().map(|p| Rules::preset(p.name).unwrap().fingerprint()).collect();
        assert!(all.iter().enumerate().all(|(nth, one)| !all[..nth].contains(one)));
    }
}
