//! Charts and grids as SVG and PNG: the pictures of Keepers.
//!
//! A picture has one or more panels; a panel is a [`Chart`] or a [`Grid`].
//!
//! ```
//! use keepers_plot::{Axis, Chart, Ink, Picture, Series};
//!
//! let curve = Series::line("best probability", (0..=100).map(|s| (f64::from(s), 1.0 - f64::from(s) / 100.0)));
//! let chart = Chart::new(Axis::linear("final score"), Axis::linear("probability").percent())
//!     .series(curve.ink(Ink::Series(0)).filled());
//! let picture = Picture::new("Reach").description("The probability falls.").panel(chart);
//! let svg = picture.svg();
//! assert!(svg.starts_with("<svg ") && svg.contains("<title>Reach</title>"));
//! # #[cfg(feature = "png")]
//! assert!(picture.png(2.0).unwrap().starts_with(b"\x89PNG"));
//! ```
//!
//! Points can have error bars, and series in a sequence can have the colours of a ramp.
//!
//! ```
//! use keepers_plot::{Axis, Chart, Ink, Picture, Point, Series};
//!
//! let error = [(2.0, 0.31, 0.02), (4.0, 0.12, 0.01), (6.0, 0.04, 0.01)];
//! let points = error.map(|(depth, error, deviation)| Point::with_error(depth, error, deviation));
//! let chart = Chart::new(Axis::linear("depth"), Axis::log("error"))
//!     .series(Series::line("exact", points).dotted())
//!     .series(Series::line("round 3", [(2.0, 0.2), (6.0, 0.1)]).ink(Ink::Ramp(0.5)).dashed());
//! assert!(Picture::new("Error").panel(chart).svg().contains("stroke-dasharray"));
//! ```
//!
//! Equal pictures give equal bytes. SVG and PNG are drawn from the same shapes, so they look alike. Text in PNG uses a
//! built-in font, so no font needs to be installed.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod axis;
mod chart;
mod color;
mod font;
mod grid;
mod labels;
mod picture;
#[cfg(feature = "png")]
mod png;
mod scene;
mod series;
mod svg;

pub use axis::Axis;
pub use chart::{Chart, Names};
pub use color::{Color, Ink, Theme};
pub use font::text_width;
pub use grid::Grid;
pub use picture::{Panel, Picture};
#[cfg(feature = "png")]
pub use png::PngError;
pub use series::{Point, Series};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
