import SquallFormat

extension JSONNode {
    /// The text of a member; `nil` if it is no text.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name]?.value else { return nil }
        return text
    }

    /// The members; none if it is no object.
    var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// A text, or a number as it was written.
    var text: String? {
        switch value {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
