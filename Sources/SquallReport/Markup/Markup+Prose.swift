import SquallFormat

extension Markup {
    /// Words in which no line breaks between the groups of a number's digits.
    static func prose(_ text: String) -> Markup {
        var joined = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            let isInside =
                character == " " && joined.last?.isNumber == true && rest.first?.isNumber == true
            joined.append(isInside ? "\u{a0}" : character)
        }
        return .text(joined)
    }
}
