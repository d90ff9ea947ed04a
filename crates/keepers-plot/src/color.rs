//! Colours, inks and themes.

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Color {
    /// Creates a colour from a number like `0x0072B2`.
    pub const fn new(rgb: u32) -> Color {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Color { red, green, blue }
    }

    /// Mixes this colour with another: 0 gives this one, 1 the other.
    ///
    /// ```
    /// use keepers_plot::Color;
    /// assert_eq!(Color::new(0x000000).mix(Color::new(0xff8000), 0.5), Color::new(0x804000));
    /// ```
    pub fn mix(self, other: Color, t: f64) -> Color {
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
        let part = |from: u8, to: u8| {
            let (from, to) = (f64::from(from), f64::from(to));
            (from + (to - from) * t).round() as u8
        };
        Color {
            red: part(self.red, other.red),
            green: part(self.green, other.green),
            blue: part(self.blue, other.blue),
        }
    }

    /// Formats the colour as in SVG: `#0072b2`.
    pub(crate) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }

    /// Returns the relative luminance, which determines contrast (WCAG 2).
    #[cfg(test)]
    fn luminance(self) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(self.red) + 0.7152 * part(self.green) + 0.0722 * part(self.blue)
    }
}

/// The ink of a series; the theme decides its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ink {
    /// The colour of text, for a series that others are compared with.
    #[default]
    Neutral,
    /// The n-th of seven colours that colour-blind readers can also tell apart, starting at 0. They repeat after the
    /// last.
    Series(usize),
    /// A colour of a ramp, from 0 to 1, for series in a sequence, like the rounds of an iteration.
    Ramp(f64),
}

/// A light or dark theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on near-black.
    Dark,
}

// Okabe and Ito's colours, which colour-blind readers can also tell apart, darkened or lightened until the contrast
// with the background is at least 3:1.
const ON_LIGHT: [u32; 7] = [0x0072B2, 0xD55E00, 0x00896A, 0xB8578A, 0xA87400, 0x3488BD, 0x5B5B5B];
const ON_DARK: [u32; 7] = [0x56B4E9, 0xE69F00, 0x2CC295, 0xE29BC4, 0xF0E442, 0x4C9BE0, 0xB5B5B5];
const RAMP_ON_LIGHT: [u32; 4] = [0xC98A00, 0x1D9386, 0x2B6CB0, 0x45116B];
const RAMP_ON_DARK: [u32; 4] = [0x7C83D6, 0x36A9B8, 0x7AD151, 0xFDE725];

impl Theme {
    /// Returns the colour of the background.
    pub fn paper(self) -> Color {
        self.either(0xffffff, 0x15181d)
    }

    /// Returns the colour of titles and labels.
    pub fn text(self) -> Color {
        self.either(0x1b1f24, 0xe8eaed)
    }

    /// Returns the colour of less important text: labels of axes, the line at the foot.
    pub fn faint_text(self) -> Color {
        self.either(0x5a626b, 0xa5adb7)
    }

    /// Returns the colour of grid lines.
    pub fn guide(self) -> Color {
        self.either(0xe3e6e9, 0x2e343c)
    }

    /// Returns the colour of the lines of axes.
    pub fn axis(self) -> Color {
        self.either(0x8c959f, 0x6b747e)
    }

    /// Returns the colour of an empty cell.
    pub fn empty_cell(self) -> Color {
        self.either(0xf1f2f4, 0x23282f)
    }

    /// Returns the colour of an ink.
    pub fn ink(self, ink: Ink) -> Color {
        let dark = self == Theme::Dark;
        match ink {
            Ink::Neutral => self.text(),
            Ink::Series(n) => Color::new((if dark { ON_DARK } else { ON_LIGHT })[n % ON_LIGHT.len()]),
            Ink::Ramp(t) => {
                let colors = (if dark { RAMP_ON_DARK } else { RAMP_ON_LIGHT }).map(Color::new);
                let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 } * (colors.len() - 1) as f64;
                let from = (t as usize).min(colors.len() - 2);
                colors[from].mix(colors[from + 1], t - from as f64)
            }
        }
    }

    /// Returns the colour of a cell with some good and bad, each from 0 to 1: green for good, red for bad, yellow for both,
    /// and paler for less of both.
    pub fn cell(self, good: f64, bad: f64) -> Color {
        let (green, yellow, red) = (Color::new(0x009E73), Color::new(0xF0D53C), Color::new(0xD5430A));
        let most = good.max(bad);
        if most.is_nan() || most <= 0.0 {
            return self.empty_cell();
        }
        let share = good / (good + bad);
        let hue =
            if share < 0.5 { red.mix(yellow, 2.0 * share) } else { yellow.mix(green, 2.0 * share - 1.0) };
        self.empty_cell().mix(hue, most)
    }

    fn either(self, light: u32, dark: u32) -> Color {
        Color::new(if self == Theme::Light { light } else { dark })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(a: Color, b: Color) -> f64 {
        let (a, b) = (a.luminance(), b.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_and_lines_stand_out_from_the_paper() {
        for theme in [Theme::Light, Theme::Dark] {
            let paper = theme.paper();
            assert!(contrast(theme.text(), paper) >= 7.0);
            assert!(contrast(theme.faint_text(), paper) >= 4.5);
            for n in 0..ON_LIGHT.len() {
                let found = contrast(theme.ink(Ink::Series(n)), paper);
                assert!(found >= 3.0, "{theme:?} {n}: {found}");
            }
            for t in 0..=20 {
                let found = contrast(theme.ink(Ink::Ramp(f64::from(t) / 20.0)), paper);
                assert!(found >= 2.8, "{theme:?} ramp {t}: {found}");
            }
        }
    }

    #[test]
    fn a_cell_is_green_red_yellow_or_empty() {
        let theme = Theme::Light;
        assert_eq!(theme.cell(1.0, 0.0), Color::new(0x009E73));
        assert_eq!(theme.cell(0.0, 1.0), Color::new(0xD5430A));
        assert_eq!(theme.cell(1.0, 1.0), Color::new(0xF0D53C));
        assert_eq!(theme.cell(0.0, 0.0), theme.empty_cell());
        assert_eq!(theme.cell(f64::NAN, f64::NAN), theme.empty_cell());
    }
}
