/// Collections in brackets, keys, and single values.
extension YAMLParser {
    /// The name of a member; `isPlain` if it was written without quotes.
    struct Name {
        let text: String
        let isPlain: Bool

        init(text: String, isPlain: Bool) { (self.text, self.isPlain) = (text, isPlain) }

        /// The name that a node is.
        init(_ node: JSONNode, isPlain: Bool) throws(JSONSyntaxError) {
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

    /// A value that may still turn out to be a key.
    enum Atom {
        case plain(String)
        case node(JSONNode)
    }

    /// The part of an object that was read so far.
    struct Members {
        var all: [JSONNode.Member] = []
        var names: Set<String> = []
        var merged: Set<String> = []
    }

    /// One value on this line, or in quotes or brackets.
    mutating func atom(below indent: Int) throws(JSONSyntaxError) -> Atom {
        let start = place
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let text = try quoted(below: indent)
            return .node(JSONNode(value: .string(text), place: start))
        case UInt8(ascii: "["), UInt8(ascii: "{"): return .node(try flowNode(below: indent))
        case UInt8(ascii: "*"): return .node(try alias())
        default: return .plain(try plainLine(inFlow: false))
        }
    }

    /// An atom as a name, kept by its anchor.
    mutating func keep(_ atom: Atom, _ own: Properties) throws(JSONSyntaxError) -> Name {
        switch atom {
        case .plain(let text):
            _ = try node(own, YAMLScalar.value(text, tag: own.tag))
            return Name(text: text, isPlain: own.tag == nil)
        case .node(let inner):
            _ = try node(own, inner.value)
            return try Name(inner, isPlain: false)
        }
    }

    /// An atom as a value, kept by its anchor.
    mutating func kept(_ atom: Atom, _ own: Properties) throws(JSONSyntaxError) -> JSONNode {
        guard case .node(let inner) = atom else { preconditionFailure("a plain text has a rest") }
        guard let tag = own.tag, case .string(let text) = inner.value else {
            return try node(own, inner.value)
        }
        return try node(own, YAMLScalar.value(text, tag: tag))
    }

    /// Adds a member, or the members that `<<` names.
    mutating func add(
        _ name: Name, _ place: TextPlace, _ value: JSONNode, to members: inout Members
    ) throws(JSONSyntaxError) {
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
    mutating func flowNode(below indent: Int) throws(JSONSyntaxError) -> JSONNode {
        let own = try properties()
        if !own.isEmpty { try skipInFlow() }
        switch next {
        case UInt8(ascii: "["): return try node(own, flowList(below: indent))
        case UInt8(ascii: "{"): return try node(own, flowObject(below: indent))
        case UInt8(ascii: "*"):
            try refuseAlias(behind: own)
            return try alias()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return try node(own, .string(quoted(below: indent)))
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), nil:
            if isFlowColon || next != UInt8(ascii: ":") {
                return try node(own, YAMLScalar.value("", tag: own.tag))
            }
        default: break
        }
        let text = try plainRest(of: plainLine(inFlow: true), below: nil)
        return try node(own, YAMLScalar.value(text, tag: own.tag))
    }

    /// True if a `:` here ends a key inside of brackets.
    var isFlowColon: Bool {
        guard next == UInt8(ascii: ":") else { return false }
        return byte(after: 1).map {
            $0.isSpace || $0 == .lineFeed || ",[]{}".utf8.contains($0)
        } ?? true
    }

    private mutating func skipInFlow() throws(JSONSyntaxError) {
        try skipToContent()
        if isAtMark { throw error("expected the end of the collection, got \(found)") }
    }

    private mutating func flowList(below indent: Int) throws(JSONSyntaxError) -> JSONNode.Value {
        var elements: [JSONNode] = []
        try items(until: "]") { parser throws(JSONSyntaxError) in
            let start = parser.place
            let (name, value) = try parser.entry(below: indent, isAlone: true)
            guard let name else { return elements.append(value) }
            var members = Members()
            try parser.add(name, start, value, to: &members)
            elements.append(JSONNode(value: .object(members.all), place: start))
        }
        return .array(elements)
    }

    private mutating func flowObject(below indent: Int) throws(JSONSyntaxError) -> JSONNode.Value {
        var members = Members()
        try items(until: "}") { parser throws(JSONSyntaxError) in
            let start = parser.place
            let (name, value) = try parser.entry(below: indent, isAlone: false)
            if let name { try parser.add(name, start, value, to: &members) }
        }
        return .object(members.all)
    }

    /// Reads the items between brackets.
    private mutating func items(
        until end: Unicode.Scalar, _ read: (inout YAMLParser) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try descend()
        defer { depth -= 1 }
        position += 1
        try skipInFlow()
        while next != UInt8(ascii: end) {
            guard next != nil, next != UInt8(ascii: ",") else {
                throw error("expected a value or '\(end)', got \(found)")
            }
            try read(&self)
            try skipInFlow()
            if next == UInt8(ascii: ",") {
                position += 1
                try skipInFlow()
            } else if next != UInt8(ascii: end) {
                throw error("expected ',' or '\(end)', got \(found)")
            }
        }
        position += 1
    }

    /// A key with its value; in a list also a value alone, without a name.
    private mutating func entry(
        below indent: Int, isAlone: Bool
    ) throws(JSONSyntaxError) -> (name: Name?, value: JSONNode) {
        let isExplicit = isIndicator("?")
        if isExplicit {
            position += 1
            try skipInFlow()
        }
        let (line, first) = (line, next)
        let isJSON = first.map { "\"'[{".utf8.contains($0) } ?? false
        let key = try flowNode(below: indent)
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
        return (try Name(key, isPlain: !isJSON), try flowNode(below: indent))
    }
}
