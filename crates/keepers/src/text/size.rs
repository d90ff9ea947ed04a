//! Sizes in bytes, as people read them.

/// Formats a size: `92.2 TiB`, `512 bytes`.
///
/// ```
/// use keepers::internals::text::byte_size;
/// assert_eq!(byte_size(512), "512 bytes");
/// assert_eq!(byte_size(2_486_048), "2.4 MiB");
/// ```
pub fn byte_size(bytes: u128) -> String {
    const UNITS: [&str; 9] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    let (mut size, mut unit) = (bytes as f64, 0);
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{size:.1} {}", UNITS[unit]) }
}
