import SquallFormat

extension JSONNode {
    /// A text, or a number as it was written.
    var text: String? {
        switch value {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
