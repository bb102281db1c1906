/// Any JSON, in which an app finds the number of a list's objects and its next page.
indirect enum DeclaredTree: Decodable, Sendable {
    case object([String: DeclaredTree])
    case array(count: Int, first: [DeclaredTree])
    case text(String)
    case other

    /// The most objects of a list among which a user chooses: those on the screen.
    private static let shownMax = 8

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let members = try? decoder.container(keyedBy: MemberName.self) {
            var object: [String: DeclaredTree] = [:]
            for name in members.allKeys {
                object[name.stringValue] = try members.decode(DeclaredTree.self, forKey: name)
            }
            self = .object(object)
        } else if var elements = try? decoder.unkeyedContainer() {
            var first: [DeclaredTree] = []
            while first.count < Self.shownMax, !elements.isAtEnd {
                first.append(try elements.decode(DeclaredTree.self))
            }
            self = .array(count: elements.count ?? 0, first: first)
        } else if let number = try? value.decode(Int64.self) {
            self = .text("\(number)")
        } else {
            self = .other
        }
    }

    /// The value at a place, from outside in; nothing where there is none.
    func at(_ path: [String]) -> DeclaredTree {
        path.reduce(self) { tree, name in
            guard case .object(let members) = tree else { return .other }
            return members[name] ?? .other
        }
    }

    var count: Int {
        switch self {
        case .array(let count, _): count
        case .object(let members): members.count
        case .text, .other: 0
        }
    }

    /// The objects of a list among which a user chooses.
    var shown: [DeclaredTree] {
        guard case .array(_, let first) = self else { return [] }
        return first
    }

    /// The text or whole number; `nil` of anything else, and of an empty text.
    var text: String? {
        guard case .text(let text) = self, !text.isEmpty else { return nil }
        return text
    }

    /// The address of the next page in a header `Link` (RFC 8288).
    static func next(in header: String) -> String? {
        var rest = header[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let address = rest[open..<close].dropFirst()
            rest = rest[close...]
            // A comma stands between links, but also in addresses and quoted texts.
            var isQuoted = false
            let parameters = rest.prefix {
                if $0 == "\"" { isQuoted.toggle() }
                return isQuoted || $0 != ","
            }
            rest = rest[parameters.endIndex...]
            let isNext = parameters.split(separator: ";").contains { parameter in
                let halves = parameter.split(separator: "=", maxSplits: 1)
                return halves.count == 2 && halves[0].filter { $0 != " " } == "rel"
                    && halves[1].split { " \"".contains($0) }.contains("next")
            }
            if isNext { return String(address) }
        }
        return nil
    }
}
