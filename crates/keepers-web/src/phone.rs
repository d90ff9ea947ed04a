//! The address for a phone: with the access token, and as a QR code.

use axum::Json;
use axum::extract::State;
use qrcode::{Color, QrCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Shared;

/// The light border of a QR code, in modules, without which phones do not find it.
const BORDER: usize = 4;

/// A QR code.
#[derive(Clone, Debug)]
pub struct Qr {
    size: usize,
    dark: Vec<bool>,
}

impl Qr {
    /// Encodes a text. Returns `None` if it is too long.
    ///
    /// ```
    /// let qr = keepers_web::Qr::new("http://192.0.2.1:4949/").unwrap();
    /// assert_eq!(qr.rows().len(), 25);
    /// assert!(qr.rows()[0].starts_with("1111111"), "the corner of every QR code");
    /// ```
    pub fn new(text: &str) -> Option<Qr> {
        let code = QrCode::new(text).ok()?;
        let dark = code.to_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Qr { size: code.width(), dark })
    }

    /// Returns whether a module is dark. Modules outside of the code are light.
    pub fn is_dark(&self, row: usize, column: usize) -> bool {
        row < self.size && column < self.size && self.dark[row * self.size + column]
    }

    /// Returns the rows without the border: 1 for dark modules, 0 for light ones.
    pub fn rows(&self) -> Vec<String> {
        let row = |row: &[bool]| row.iter().map(|dark| if *dark { '1' } else { '0' }).collect();
        self.dark.chunks(self.size).map(row).collect()
    }

    /// Returns the code as lines of half blocks, two rows per line, with its border. Dark modules are drawn, so the
    /// lines must be shown dark on light.
    pub fn lines(&self) -> Vec<String> {
        let all = self.size + 2 * BORDER;
        // Indices outside of the code wrap to large numbers, which are light.
        let dark =
            |row: usize, column: usize| self.is_dark(row.wrapping_sub(BORDER), column.wrapping_sub(BORDER));
        let half = |row: usize, column: usize| match (dark(row, column), dark(row + 1, column)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        (0..all).step_by(2).map(|row| (0..all).map(|column| half(row, column)).collect()).collect()
    }

    /// Returns the code as an SVG image with its border.
    pub fn svg(&self) -> String {
        let all = self.size + 2 * BORDER;
        let mut path = String::new();
        for row in 0..self.size {
            for column in (0..self.size).filter(|column| self.is_dark(row, *column)) {
                path += &format!("M{} {}h1v1h-1z", column + BORDER, row + BORDER);
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all} {all}\" shape-rendering=\"crispEdges\">\
             <path fill=\"#fff\" d=\"M0 0h{all}v{all}H0z\"/><path d=\"{path}\"/></svg>"
        )
    }
}

/// The address for a phone.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(example = json!({ "enabled": false, "address": null, "svg": null, "modules": null }))]
pub struct Phone {
    /// Whether the server was started for phones: `keepers serve --phone`.
    pub enabled: bool,
    /// The address with the access token; null if the server was not started for phones or its address is unknown.
    pub address: Option<String>,
    /// The address as a QR code, an SVG image.
    pub svg: Option<String>,
    /// The modules of the QR code, one text per row: 1 is dark. A border of four light modules must be added.
    pub modules: Option<Vec<String>>,
}

/// Show the address for a phone
#[utoipa::path(get, path = "/phone", tag = "server",
    responses((status = 200, description = "the address, and its QR code", body = Phone)))]
pub async fn phone(State(app): State<Shared>) -> Json<Phone> {
    let address = app.phone_address.clone();
    let qr = address.as_deref().and_then(Qr::new);
    Json(Phone {
        enabled: app.is_for_phones,
        address,
        svg: qr.as_ref().map(Qr::svg),
        modules: qr.as_ref().map(Qr::rows),
    })
}
