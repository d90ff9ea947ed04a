//! Quoting what a person typed.

/// What was typed, fit to be shown: control characters escaped, cut to a readable length.
pub fn quote(text: &str) -> String {
    const MOST: usize = 60;
    let mut out = String::new();
    for c in text.chars().take(MOST) {
        if c.is_control() {
            out.extend(c.escape_debug());
        } else {
            out.push(c);
        }
    }
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}
