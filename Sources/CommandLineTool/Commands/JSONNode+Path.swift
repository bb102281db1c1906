import SquallFormat

extension JSONNode {
    /// The way to the first place where a text is the value of a key; nil where it is nowhere.
    func path(to text: String, under key: String, at path: SettingPath = .root) -> SettingPath? {
        switch value {
        case .string(text) where path.lastKey == key: return path
        case .object(let members):
            return members.lazy.compactMap {
                $0.value.path(to: text, under: key, at: path.appending($0.name))
            }.first
        case .array(let elements):
            return elements.enumerated().lazy.compactMap { index, element in
                element.path(to: text, under: key, at: path.appending(index))
            }.first
        case .null, .bool, .number, .string: return nil
        }
    }
}
