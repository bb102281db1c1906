/// Collections in brackets, keys, and single values.
extension YAMLParser {
    /// The name of a member; `isPlain` if it was written without quotes.
    struct Name {
        let text: String
        let isPlain: Bool

        /// The name that a node is.
        init(_ node: JSONNode, isPlain: Bool) throws(Fault) {
            self.isPlain = isPlain
            switch node.value {
            case .string(let text), .number(let text): self.text = text
            case .null: text = ""
            case .bool(let flag): text = "\(flag)"
            case .array, .object:
                throw JSONSyntaxError(
                    place: node.place, problem: "a key must be a text, got \(node.summary)")
            }
        }
    }

    /// A value that may still turn out to be a key; a plain one is a text that has no type yet.
    struct Atom {
        let value: JSONNode
        let isPlain: Bool
    }

    /// The part of an object that was read so far.
    struct Members {
        var all: [JSONNode.Member] = []
        var names: Set<String> = []
        var merged: Set<String> = []
    }

    /// One value on this line, or in quotes or brackets.
    mutating func atom() throws(Fault) -> Atom {
        let start = place
        guard next.isOne(of: "\"'[{*") else {
            let text = try plainLine(inFlow: false)
            return Atom(value: JSONNode(value: .string(text), place: start), isPlain: true)
        }
        return Atom(value: try flowNode(), isPlain: false)
    }

    /// An atom as a name, kept by its anchor.
    mutating func name(_ atom: Atom, _ own: Properties) throws(Fault) -> Name {
        _ = try node(own, atom)
        return try Name(atom.value, isPlain: atom.isPlain && own.tag == nil)
    }

    /// An atom as a value, kept by its anchor.
    mutating func node(_ own: Properties, _ atom: Atom) throws(Fault) -> JSONNode {
        guard atom.isPlain || own.tag != nil, case .string(let text) = atom.value.value else {
            return try node(own, atom.value.value)
        }
        return try node(own, YAMLScalar.value(text, tag: own.tag))
    }

    /// Adds a member, or the members that `<<` names.
    mutating func add(
        _ name: Name, _ place: TextPlace, _ value: JSONNode, to members: inout Members
    ) throws(Fault) {
        if name.isPlain, name.text == "<<" {
            let sources: [JSONNode]
            if case .array(let list) = value.value { sources = list } else { sources = [value] }
            for source in sources {
                guard case .object(let more) = source.value else {
                    throw error("<< takes an object, got \(source.summary)", at: value.place)
                }
                // A member of its own, and one of an earlier source, goes first.
                for member in more where members.names.insert(member.name).inserted {
                    members.merged.insert(member.name)
                    members.all.append(member)
                }
            }
            return
        }
        if members.merged.remove(name.text) != nil {
            members.all.removeAll { $0.name == name.text }
        } else if !members.names.insert(name.text).inserted {
            throw error("\"\(name.text.excerpt())\" is given twice", at: place)
        }
        members.all.append(.init(name: name.text, place: place, value: value))
    }

    /// A value inside of brackets, or a collection in brackets; null where there is none.
    mutating func flowNode() throws(Fault) -> JSONNode {
        let own = try properties()
        if !own.isEmpty { try skipInFlow() }
        switch next {
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try node(own, flowCollection())
        case UInt8(ascii: "*"):
            try refuse(true, behind: own)
            return try alias()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try node(own, .string(quoted()))
        default:
            let isEmpty = next == nil || isFlowColon || next.isOne(of: ",]}")
            let text = isEmpty ? "" : try plainRest(of: plainLine(inFlow: true), below: nil)
            return try node(own, YAMLScalar.value(text, tag: own.tag))
        }
    }

    /// True if a `:` here ends a key inside of brackets.
    var isFlowColon: Bool {
        next == UInt8(ascii: ":") && (byte(after: 1).isBlank || byte(after: 1).isOne(of: ",[]{}"))
    }

    private mutating func skipInFlow() throws(Fault) {
        skipToContent()
        if isAtMark { throw error("expected the end of the collection, got \(found)") }
    }

    private mutating func flowCollection() throws(Fault) -> JSONNode.Value {
        try descend()
        defer { depth -= 1 }
        let isList = next == UInt8(ascii: "[")
        let end: Unicode.Scalar = isList ? "]" : "}"
        var elements: [JSONNode] = []
        var members = Members()
        position += 1
        try skipInFlow()
        while next != UInt8(ascii: end) {
            guard next != nil, next != UInt8(ascii: ",") else {
                throw error("expected a value or '\(end)', got \(found)")
            }
            let start = place
            switch try (entry(isAlone: isList), isList) {
            case ((nil, let value), _): elements.append(value)
            case ((let name?, let value), true):
                var one = Members()
                try add(name, start, value, to: &one)
                elements.append(JSONNode(value: .object(one.all), place: start))
            case ((let name?, let value), false): try add(name, start, value, to: &members)
            }
            try skipInFlow()
            if next == UInt8(ascii: ",") {
                position += 1
                try skipInFlow()
            } else if next != UInt8(ascii: end) {
                throw error("expected ',' or '\(end)', got \(found)")
            }
        }
        position += 1
        return isList ? .array(elements) : .object(members.all)
    }

    /// A key with its value; in a list also a value alone, without a name.
    private mutating func entry(isAlone: Bool) throws(Fault) -> (name: Name?, value: JSONNode) {
        let isExplicit = isIndicator("?")
        if isExplicit {
            position += 1
            try skipInFlow()
        }
        let (line, isJSON) = (line, next.isOne(of: "\"'[{"))
        let key = try flowNode()
        try skipInFlow()
        guard isFlowColon || isJSON && next == UInt8(ascii: ":") else {
            if isAlone, !isExplicit { return (nil, key) }
            return (try Name(key, isPlain: false), JSONNode(value: .null, place: place))
        }
        guard !isAlone || isExplicit || line == self.line else {
            throw error("a key in a list must end on the line on which it begins")
        }
        position += 1
        try skipInFlow()
        return (try Name(key, isPlain: !isJSON), try flowNode())
    }
}
