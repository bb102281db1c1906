extension JSONNode {
    /// A document as if it were read from a file.
    public init(_ json: JSON) {
        let value: Value =
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .integer(let number): .number("\(number)")
            case .unsigned(let number): .number("\(number)")
            case .number(let number): .number("\(number)")
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(JSONNode.init))
            case .object(let members):
                .object(
                    members.sorted { $0.key < $1.key }.map {
                        Member(name: $0.key, place: TextPlace(), value: JSONNode($0.value))
                    })
            }
        self.init(value: value, place: TextPlace())
    }

    /// The document with a value put at a path; nil if a list on the path has no such element.
    ///
    /// Missing members on the path are created.
    public func replacing(_ path: SettingPath, with node: JSONNode) -> JSONNode? {
        replacing(path.parts[...], with: node)
    }

    private func replacing(
        _ parts: ArraySlice<SettingPath.Part>, with node: JSONNode
    ) -> JSONNode? {
        guard let part = parts.first else { return node }
        let rest = parts.dropFirst()
        switch part {
        case .index(let index):
            guard case .array(var elements) = value, elements.indices.contains(index),
                let element = elements[index].replacing(rest, with: node)
            else { return nil }
            elements[index] = element
            return JSONNode(value: .array(elements), place: place)
        case .key(let key):
            var members = members
            let index = members.firstIndex { $0.name == key }
            let old = index.map { members[$0] }
            let empty = JSONNode(value: .object([]), place: place)
            guard let new = (old?.value ?? empty).replacing(rest, with: node) else { return nil }
            let member = Member(name: key, place: old?.place ?? place, value: new)
            if let index { members[index] = member } else { members.append(member) }
            return JSONNode(value: .object(members), place: place)
        }
    }
}

extension JSON {
    /// The value of a node, without positions.
    ///
    /// A number that is too large for a `Double` becomes the largest one, as JSON has no infinity.
    public init(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let text):
            if let number = Int64(text) {
                self = .integer(number)
            } else if let number = UInt64(text) {
                self = .unsigned(number)
            } else {
                let most = Double.greatestFiniteMagnitude
                self = .number(min(max(Double(text) ?? 0, -most), most))
            }
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSON.init))
        case .object(let members):
            let pairs = members.map { ($0.name, JSON($0.value)) }
            self = .object(Dictionary(pairs) { first, _ in first })
        }
    }
}

extension JSONNode {
    /// Reads a text from the command line: a JSON document, or else a string.
    ///
    /// A setting that is always a string needs no quotes.
    public init(written text: String, as row: SettingRow?) {
        let document = try? JSONParser.parse(Array(text.utf8))
        let isText = row?.shape.schema["type"] == "string"
        guard let document, !isText || document.string != nil else {
            self.init(.string(text))
            return
        }
        self.init(JSON(document))
    }
}
