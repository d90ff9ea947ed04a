//! Series: rows of values that are drawn alike and have a name.

use crate::color::Ink;

/// One value, with how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// How much.
    pub y: f64,
    /// From where to where it may be: an error bar.
    pub range: Option<(f64, f64)>,
}

impl Point {
    /// A value that may be off by `error` either way.
    ///
    /// ```
    /// let point = keepers_plot::Point::with_error(3.0, 10.0, 0.5);
    /// assert_eq!(point.range, Some((9.5, 10.5)));
    /// ```
    pub fn with_error(x: f64, y: f64, error: f64) -> Point {
        Point { x, y, range: Some((y - error, y + error)) }
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Point {
        Point { x, y, range: None }
    }
}

/// What joins the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Line,
    /// A value holds until the next.
    Steps,
    /// Bars of this width, in the units of the x axis, with the value in the middle.
    Bars(f64),
    /// Nothing: points alone.
    Points,
}

/// A row of values that are drawn alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    pub(crate) shape: Shape,
    pub(crate) ink: Ink,
    pub(crate) is_filled: bool,
    pub(crate) has_points: bool,
    pub(crate) dash: Option<[f64; 2]>,
    pub(crate) width: f64,
}

impl Series {
    /// Values joined by a line.
    pub fn line<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Series {
        Series {
            name: name.into(),
            points: points.into_iter().map(Into::into).collect(),
            shape: Shape::Line,
            ink: Ink::Neutral,
            is_filled: false,
            has_points: false,
            dash: None,
            width: 1.8,
        }
    }

    /// Values each of which holds until the next.
    pub fn steps<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Series {
        Series { shape: Shape::Steps, ..Series::line(name, points) }
    }

    /// Bars of a width in the units of the x axis, each with its value in the middle: a histogram.
    pub fn bars<P: Into<Point>>(
        name: impl Into<String>,
        width: f64,
        points: impl IntoIterator<Item = P>,
    ) -> Series {
        Series { shape: Shape::Bars(width), ..Series::line(name, points) }
    }

    /// Points that nothing joins.
    pub fn points<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Series {
        Series { shape: Shape::Points, has_points: true, ..Series::line(name, points) }
    }

    /// Draws it with this ink.
    pub fn ink(self, ink: Ink) -> Series {
        Series { ink, ..self }
    }

    /// Fills the area down to zero.
    pub fn filled(self) -> Series {
        Series { is_filled: true, ..self }
    }

    /// Puts a dot at every value.
    pub fn dotted(self) -> Series {
        Series { has_points: true, ..self }
    }

    /// Breaks the line into dashes.
    pub fn dashed(self) -> Series {
        Series { dash: Some([6.0, 4.0]), ..self }
    }

    /// Draws a thin line, for many values or for what is only to be compared with.
    pub fn thin(self) -> Series {
        Series { width: 1.1, ..self }
    }
}
