//! Quotes input in messages.

/// Makes input safe to show in a message: escapes control characters and cuts it to a readable length.
pub fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut out = String::new();
    for c in text.chars().take(MAX_CHARS) {
        if c.is_control() {
            out.extend(c.escape_debug());
        } else {
            out.push(c);
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        out.push('…');
    }
    out
}
