/// The path of a setting in a document.
public struct SettingPath: Hashable, Sendable {
    /// The keys and indices, the outermost first.
    let parts: [Part]

    enum Part: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// The whole document.
    public static let root = SettingPath(parts: [])

    /// The path of a member.
    public func appending(_ key: String) -> SettingPath { SettingPath(parts: parts + [.key(key)]) }

    /// The path of an element.
    public func appending(_ index: Int) -> SettingPath {
        SettingPath(parts: parts + [.index(index)])
    }

    /// The innermost key; nil if the path ends with an index.
    public var lastKey: String? {
        if case .key(let key)? = parts.last { key } else { nil }
    }

    /// The shortest path of the table that ends as this one, which begins with no key of it; in
    /// the first element of each list.
    public func elsewhere(in table: [SettingRow]) -> String? {
        guard case .key(let first)? = parts.first, let last = lastKey,
            !table.contains(where: { $0.key == first })
        else { return nil }
        // Who says "user" may mean the users; of several the one that lies least deep.
        let names = [last, last + "s"]
        func depth(_ path: String) -> (Int, Int) { (path.count { $0 == "." }, path.utf8.count) }
        return table.reference.map { $0.path.replacing("[]", with: "[0]") }
            .filter { $0.split(separator: ".").last.map { names.contains(String($0)) } ?? false }
            .min { depth($0) < depth($1) }
    }

    /// The path as a JSON pointer: `/populations/0/users`.
    public var pointer: String {
        parts.map { part in
            switch part {
            case .key(let key):
                "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            case .index(let index): "/\(index)"
            }
        }.joined()
    }

    /// The position of the setting in a text, or else of its innermost existing parent.
    public func place(in document: JSONNode) -> TextPlace {
        var node = document
        for part in parts {
            guard let next = node[part] else { break }
            node = next
        }
        return node.place
    }

    /// The setting in a document; nil if it is left out.
    public func node(in document: JSONNode) -> JSONNode? {
        parts.reduce(document) { node, part in node?[part] }
    }

    /// The path with indices for the numbers that are keys of lists, as in `populations.0.users`;
    /// nil where there are none.
    public func withIndexes(in document: JSONNode) -> SettingPath? {
        var node: JSONNode? = document
        let indexed = parts.flatMap { part -> [Part] in
            guard case .key(let key) = part, case .array? = node?.value else {
                node = node?[part]
                return [part]
            }
            guard let index = Int(key) else {
                node = node?[.index(0)]?[part]
                return [.index(0), part]
            }
            node = node?[.index(index)]
            return [.index(index)]
        }
        return indexed == parts ? nil : SettingPath(parts: indexed)
    }

    /// True for a path that is equal to this one or inside it.
    public func leads(to other: SettingPath) -> Bool { other.parts.starts(with: parts) }

    /// True for two paths of which one is equal to the other or inside it.
    public func overlaps(_ other: SettingPath) -> Bool {
        zip(parts, other.parts).allSatisfy { $0 == $1 }
    }
}

extension SettingPath: CustomStringConvertible {
    /// The path in the form for messages: `populations[0].users`.
    public var description: String {
        parts.isEmpty
            ? "the profile"
            : parts.reduce(into: "") { text, part in
                switch part {
                case .key(let key): text += (text.isEmpty ? "" : ".") + key
                case .index(let index): text += "[\(index)]"
                }
            }
    }

    /// Parses a path in that form; `nil` if it is none.
    public init?(_ text: some StringProtocol) {
        var parts: [Part] = []
        for word in text.split(separator: ".", omittingEmptySubsequences: false) {
            let pieces = word.split(separator: "[", omittingEmptySubsequences: false)
            guard let key = pieces.first, !key.isEmpty else { return nil }
            parts.append(.key(String(key)))
            for piece in pieces.dropFirst() {
                guard piece.hasSuffix("]"), let index = Int(piece.dropLast()), index >= 0 else {
                    return nil
                }
                parts.append(.index(index))
            }
        }
        self.init(parts: parts)
    }
}

extension JSONNode {
    fileprivate subscript(part: SettingPath.Part) -> JSONNode? {
        switch part {
        case .key(let key): self[key]
        case .index(let index): self[index]
        }
    }
}
