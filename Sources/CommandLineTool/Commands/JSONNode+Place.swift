import SquallFormat

extension JSONNode {
    /// Where a text stands as the value of a key: its place, and the way there as a JSON pointer;
    /// nil where it stands nowhere.
    func place(of text: String, under key: String, at path: String = "") -> (TextPlace, String)? {
        switch value {
        case .object(let members):
            for member in members {
                let inner = "\(path)/\(member.name)"
                if member.name == key, member.value.value == .string(text) {
                    return (member.value.place, inner)
                }
                if let found = member.value.place(of: text, under: key, at: inner) { return found }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let inner = "\(path)/\(index)"
                if let found = element.place(of: text, under: key, at: inner) { return found }
            }
        case .null, .bool, .number, .string: break
        }
        return nil
    }
}
