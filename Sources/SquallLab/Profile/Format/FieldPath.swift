import SquallFormat

/// Where a setting stands in a profile.
struct FieldPath: Hashable, CustomStringConvertible {
    private var parts: [Part] = []

    private enum Part: Hashable {
        case key(String)
        case index(Int)
    }

    static let root = FieldPath()

    func appending(_ key: String) -> FieldPath {
        var path = self
        path.parts.append(.key(key))
        return path
    }

    func appending(_ index: Int) -> FieldPath {
        var path = self
        path.parts.append(.index(index))
        return path
    }

    /// The path as people write it: `populations[0].users`.
    var description: String {
        parts.isEmpty
            ? "the profile"
            : parts.reduce(into: "") { text, part in
                switch part {
                case .key(let key): text += (text.isEmpty ? "" : ".") + key
                case .index(let index): text += "[\(index)]"
                }
            }
    }

    /// The path as a JSON pointer: `/populations/0/users`.
    var pointer: String {
        parts.map { part in
            switch part {
            case .key(let key):
                "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            case .index(let index): "/\(index)"
            }
        }.joined()
    }

    /// Where the setting is in a text, or else what it would be part of.
    func place(in document: JSONNode) -> TextPlace {
        var node = document
        for part in parts {
            let next: JSONNode? =
                switch part {
                case .key(let key): node[key]
                case .index(let index): node[index]
                }
            guard let next else { break }
            node = next
        }
        return node.place
    }
}
