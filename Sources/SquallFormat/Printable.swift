extension String {
    /// The text without what would command a terminal: control characters become `·`.
    public var printable: String {
        guard unicodeScalars.contains(where: \.commandsTerminal) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar.commandsTerminal ? "·" : scalar)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether a terminal does something at it, or turns the direction of what follows.
    fileprivate var commandsTerminal: Bool {
        properties.generalCategory == .control || properties.generalCategory == .format
    }
}
