/// Colours for a terminal, or none.
public struct TerminalStyle: Hashable, Sendable {
    /// True to colour texts at all.
    let isOn: Bool

    /// A style that colours texts, or leaves them as they are.
    public init(isOn: Bool) {
        self.isOn = isOn
    }

    /// The text in bold.
    public func bold(_ text: String) -> String { colour(text, "1") }
    /// The text dimmed.
    public func dim(_ text: String) -> String { colour(text, "2") }
    /// The text in red.
    public func red(_ text: String) -> String { colour(text, "31") }
    /// The text in green.
    public func green(_ text: String) -> String { colour(text, "32") }
    /// The text in yellow.
    public func yellow(_ text: String) -> String { colour(text, "33") }

    private func colour(_ text: String, _ code: String) -> String {
        isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
