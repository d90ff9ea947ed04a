//! Axes: the range of values, the ticks and their labels.

/// The mapping from values to positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Linear,
    Log,
}

/// The format of tick labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Number,
    Percent,
}

/// One axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) title: String,
    kind: Kind,
    format: Format,
    from: Option<f64>,
    to: Option<f64>,
}

impl Axis {
    /// Creates a linear axis.
    pub fn linear(title: impl Into<String>) -> Axis {
        Axis { title: title.into(), kind: Kind::Linear, format: Format::Number, from: None, to: None }
    }

    /// Creates a logarithmic axis, which shows only positive values.
    pub fn log(title: impl Into<String>) -> Axis {
        Axis { kind: Kind::Log, ..Axis::linear(title) }
    }

    /// Labels ticks in percent: 50 % for 0.5.
    pub fn percent(self) -> Axis {
        Axis { format: Format::Percent, ..self }
    }

    /// Fixes the start of the axis, whatever the data.
    pub fn from(self, value: f64) -> Axis {
        Axis { from: Some(value), ..self }
    }

    /// Fixes the end of the axis, whatever the data.
    pub fn to(self, value: f64) -> Axis {
        Axis { to: Some(value), ..self }
    }

    /// Returns whether the axis can show a value.
    pub(crate) fn can_show(&self, value: f64) -> bool {
        value.is_finite() && (self.kind == Kind::Linear || value > 0.0)
    }

    /// Returns whether the axis has a zero, on which areas and bars are based.
    pub(crate) fn has_zero(&self) -> bool {
        self.kind == Kind::Linear
    }

    /// Returns the scale for these values on `length` pixels, with at least `spacing` pixels between ticks. With `round`,
    /// the scale starts and ends at a tick.
    pub(crate) fn scale(
        &self,
        values: impl Iterator<Item = f64>,
        length: f64,
        spacing: f64,
        round: bool,
    ) -> Scale {
        let shown = values.filter(|value| self.can_show(*value));
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) = shown.fold(none, |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            (low, high) = if self.kind == Kind::Log { (0.1, 1.0) } else { (0.0, 1.0) };
        }
        let fixed = |end: Option<f64>| end.filter(|value| self.can_show(*value));
        low = fixed(self.from).unwrap_or(low);
        high = fixed(self.to).unwrap_or(high);
        if low >= high {
            (low, high) = match self.kind {
                Kind::Log => (low / 2.0, low * 2.0),
                Kind::Linear => (low - 0.5 * low.abs().max(1.0), low + 0.5 * low.abs().max(1.0)),
            };
        }
        let most = (length / spacing).max(1.0);
        let mut ticks = match self.kind {
            Kind::Linear => linear_ticks(low, high, most),
            Kind::Log => log_ticks(low, high, most),
        };
        if round {
            let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
            low = if fixed(self.from).is_none() { low.min(first) } else { low };
            high = if fixed(self.to).is_none() { high.max(last) } else { high };
        }
        let slack = 1e-9 * (high - low);
        ticks.retain(|tick| (low - slack..=high + slack).contains(tick));
        let labels = self.labels(&ticks);
        Scale { kind: self.kind, low, high, length, ticks: ticks.into_iter().zip(labels).collect() }
    }

    fn labels(&self, ticks: &[f64]) -> Vec<String> {
        let factor = if self.format == Format::Percent { 100.0 } else { 1.0 };
        let unit = if self.format == Format::Percent { " %" } else { "" };
        if self.kind == Kind::Log {
            let tiny = ticks.iter().any(|tick| *tick * factor < 1e-5 || *tick * factor > 1e9);
            let label = |&tick: &f64| if tiny { power(tick) } else { plain(tick * factor) + unit };
            return ticks.iter().map(label).collect();
        }
        let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min) * factor;
        let decimals = if step.is_finite() { (-(step * 1.001).log10().floor()).max(0.0) as usize } else { 2 };
        ticks.iter().map(|tick| grouped(tick * factor, decimals) + unit).collect()
    }
}

/// An axis with its final range, length and ticks.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    kind: Kind,
    pub low: f64,
    pub high: f64,
    length: f64,
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// Returns the pixels from the start of the axis. A value that a logarithmic axis cannot show is far before the start.
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        // Clamped, because infinities would break the clipping of lines.
        let share = if share.is_nan() { -100.0 } else { share.clamp(-100.0, 100.0) };
        share * self.length
    }
}

/// Returns ticks at multiples of 1, 2 or 5 times a power of ten, from the last at or below `low` to the first at or
/// above `high`.
fn linear_ticks(low: f64, high: f64, most: f64) -> Vec<f64> {
    let wanted = (high - low) / most;
    let size = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * size).into_iter().find(|step| *step >= wanted * 0.999);
    let step = step.unwrap_or(10.0 * size);
    let (first, last) = ((low / step + 1e-9).floor() as i64, (high / step - 1e-9).ceil() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// Returns ticks at powers of ten. A wide range skips powers, and a narrow range adds multiples of them.
fn log_ticks(low: f64, high: f64, most: f64) -> Vec<f64> {
    let (first, last) = ((low.log10() + 1e-9).floor() as i32, (high.log10() - 1e-9).ceil() as i32);
    let decades = high.log10() - low.log10();
    let multiples: &[f64] = match most / decades.max(0.1) {
        room if decades > 3.0 || room < 3.0 => &[1.0],
        room if decades > 1.0 || room < 9.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
    };
    let stride = (decades / most).ceil().max(1.0) as i32;
    // The exponents are multiples of the stride, so that 1 is among the ticks.
    let first = first.div_euclid(stride) * stride;
    let all: Vec<f64> = (first..=last + stride - 1)
        .step_by(stride as usize)
        .flat_map(|decade| multiples.iter().map(move |n| n * 10f64.powi(decade)))
        .collect();
    let from = all.iter().rposition(|tick| *tick <= low * (1.0 + 1e-9)).unwrap_or(0);
    let to = all.iter().position(|tick| *tick >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1);
    all[from..=to.max(from)].to_vec()
}

/// Formats a number with as many decimals as needed: `0.001`, `5`, `1,000`.
fn plain(value: f64) -> String {
    let decimals = (-value.log10().floor()).max(0.0) as usize;
    grouped(value, decimals)
}

/// Formats a number as a power of ten: `10⁻⁶`, or `2 × 10⁻⁶`.
fn power(value: f64) -> String {
    let exponent = (value.log10() + 1e-9).floor();
    let first = (value / 10f64.powf(exponent)).round();
    let raised: String = format!("{exponent:.0}")
        .chars()
        .map(|c| match c {
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '-' => '⁻',
            c => char::from_u32('⁰' as u32 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
        })
        .collect();
    match (exponent == 0.0, first == 1.0) {
        (true, _) => format!("{first}"),
        (false, true) => format!("10{raised}"),
        (false, false) => format!("{first} × 10{raised}"),
    }
}

/// Formats a number with thousands separators and a minus sign instead of a hyphen: `−1,234.50`.
pub(crate) fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
    let mut out = String::from(if value < 0.0 && !is_zero { "−" } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: &Axis, values: &[f64], round: bool) -> Vec<String> {
        let scale = axis.scale(values.iter().copied(), 400.0, 60.0, round);
        scale.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks(&Axis::linear(""), &[0.0, 1575.0], false), ["0", "500", "1,000", "1,500"]);
        assert_eq!(ticks(&Axis::linear(""), &[0.0, 1575.0], true), ["0", "500", "1,000", "1,500", "2,000"]);
        assert_eq!(ticks(&Axis::linear(""), &[-0.1, 0.1], true), ["−0.10", "−0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(
            ticks(&Axis::linear("").percent(), &[0.0, 0.023], true),
            ["0.0 %", "0.5 %", "1.0 %", "1.5 %", "2.0 %", "2.5 %"]
        );
        assert_eq!(ticks(&Axis::linear("").percent().from(0.0).to(1.0), &[], true).last().unwrap(), "100 %");
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(ticks(&Axis::log(""), &[1.0, 10_000.0], false), ["1", "10", "100", "1,000", "10,000"]);
        assert_eq!(
            ticks(&Axis::log("").percent(), &[0.5, 0.00017], true),
            ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"]
        );
        assert_eq!(ticks(&Axis::log("").percent(), &[1.0, 1e-20], false).last().unwrap(), "1");
        assert!(ticks(&Axis::log("").percent(), &[1.0, 1e-20], true).contains(&"10⁻¹²".to_string()));
        assert_eq!(ticks(&Axis::log(""), &[2.0, 30.0], false), ["2", "5", "10", "20"]);
    }

    #[test]
    fn odd_data_have_an_axis_too() {
        for axis in [Axis::linear("x"), Axis::log("x"), Axis::log("x").percent()] {
            let infinite = [f64::NAN, f64::INFINITY];
            let cases: [&[f64]; 7] = [&[], &infinite, &[0.0], &[3.0], &[-3.0], &[5.0, 5.0], &[1e-300, 1e300]];
            for values in cases {
                for round in [false, true] {
                    let scale = axis.scale(values.iter().copied(), 300.0, 60.0, round);
                    assert!(scale.low < scale.high, "{axis:?} {values:?}");
                    assert!(scale.ticks.len() < 60);
                    assert!([-1.0, 0.0, 1.0, 5.0, 1e300].iter().all(|v| scale.place(*v).is_finite()));
                }
            }
        }
    }
}
