extension Markup {
    /// A text in which no line breaks between the groups of a number's digits.
    public static func prose(_ text: String) -> Markup {
        var joined = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            let isInside =
                character == " " && joined.last?.isNumber == true && rest.first?.isNumber == true
            joined.append(isInside ? "\u{a0}" : character)
        }
        return .text(joined)
    }

    /// A mark for a value that is as wanted, or not.
    static func sign(_ isGood: Bool) -> Markup {
        Markup("b", ["class": isGood ? "good" : "bad"], isGood ? "✓ " : "✗ ")
    }

    /// A number with at most one decimal.
    public static func number(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
    }
}
