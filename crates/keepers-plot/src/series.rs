//! Series: named sequences of points in one style.

use crate::color::Ink;

/// A point, with or without an error bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The position on the x axis.
    pub x: f64,
    /// The position on the y axis.
    pub y: f64,
    /// The ends of the error bar on the y axis, if any.
    pub range: Option<(f64, f64)>,
}

impl Point {
    /// Creates a point with an error bar of `error` in both directions.
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

/// The way points are connected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Line,
    /// Steps: each value holds until the next point.
    Steps,
    /// Bars of this width, in units of the x axis, centred on the points.
    Bars(f64),
    /// Not connected.
    Points,
}

/// A named sequence of points in one style.
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
    /// Creates a series connected by a line.
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

    /// Creates a series of steps: each value holds until the next point.
    pub fn steps<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Series {
        Series { shape: Shape::Steps, ..Series::line(name, points) }
    }

    /// Creates a histogram: bars of a width in units of the x axis, centred on the points.
    pub fn bars<P: Into<Point>>(
        name: impl Into<String>,
        width: f64,
        points: impl IntoIterator<Item = P>,
    ) -> Series {
        Series { shape: Shape::Bars(width), ..Series::line(name, points) }
    }

    /// Creates a series of unconnected points.
    pub fn points<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Series {
        Series { shape: Shape::Points, has_points: true, ..Series::line(name, points) }
    }

    /// Sets the ink.
    pub fn ink(self, ink: Ink) -> Series {
        Series { ink, ..self }
    }

    /// Fills the area down to zero.
    pub fn filled(self) -> Series {
        Series { is_filled: true, ..self }
    }

    /// Draws a dot at every point.
    pub fn dotted(self) -> Series {
        Series { has_points: true, ..self }
    }

    /// Draws a dashed line.
    pub fn dashed(self) -> Series {
        Series { dash: Some([6.0, 4.0]), ..self }
    }

    /// Draws a thin line, for many points or for a series shown for comparison.
    pub fn thin(self) -> Series {
        Series { width: 1.1, ..self }
    }
}
