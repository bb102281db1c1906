import SquallFormat

extension JSONNode {
    /// The path to the first key of this name with a text as value; nil if there is none.
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
