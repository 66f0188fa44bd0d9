//! Text as data: inside HTML, inside attributes, inside a script element.

/// `text` for the content of an element or a double-quoted attribute.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML has no way to write these; a browser shows the replacement character.
            '\0' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// JSON text for the content of a `<script>` element: what could end the element or open a
/// comment in it becomes a JSON escape. Those characters occur in JSON only inside strings.
pub(super) fn script_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            other => out.push(other),
        }
    }
    out
}

/// Whether a link may have this target: relative, or with a scheme that runs nothing.
pub(super) fn is_harmless_target(href: &str) -> bool {
    // Browsers drop control characters and outer spaces before they look for a scheme.
    if href.is_empty() || href.chars().any(char::is_control) || href.trim() != href {
        return false;
    }
    let scheme = match href.find([':', '/', '?', '#']) {
        Some(end) if href[end..].starts_with(':') => href[..end].to_ascii_lowercase(),
        _ => return true,
    };
    matches!(scheme.as_str(), "https" | "http" | "mailto")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_characters_become_entities() {
        assert_eq!(
            html(r#"<b a="1">'&'</b>"#),
            "&lt;b a=&quot;1&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;"
        );
    }

    #[test]
    fn a_script_end_inside_json_is_harmless_and_still_the_same_string() {
        let hostile = "</script><!--<script>\u{2028}&";
        let json = script_json(&serde_json::to_string(hostile).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }

    #[test]
    fn only_targets_that_run_nothing_are_links() {
        for good in [
            "#a",
            "a.html",
            "../a:b.html",
            "./a:b",
            "https://example.org/",
            "MAILTO:a@example.org",
            "a?b:c",
        ] {
            assert!(is_harmless_target(good), "{good}");
        }
        for bad in [
            "",
            "javascript:alert(1)",
            "JavaScript:x",
            "data:text/html,x",
            " javascript:x",
            "java\nscript:x",
            "\u{1}javascript:x",
        ] {
            assert!(!is_harmless_target(bad), "{bad}");
        }
    }
}
