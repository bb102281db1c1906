/// Collections and scalars that indentation holds together.
extension YAMLParser {
    /// The place of a node, which decides if it may be a collection without brackets.
    enum Start {
        /// Behind a key or `---`: there no such collection begins on the line.
        case afterKey
        /// Behind `-`, `?` or an explicit `:`.
        case afterIndicator
        /// On a line of its own.
        case ownLine
    }

    /// A node whose lines are indented by more than `indent`; null where there is none.
    ///
    /// The list of a key may stand as far left as the key.
    mutating func blockNode(
        below indent: Int, _ start: Start, listAt lists: Int? = nil
    ) throws(Fault) -> JSONNode {
        let (before, from) = (place, position)
        var start = start
        if skipToContent() { start = .ownLine }
        guard next != nil, !isAtMark, start != .ownLine || isInside(indent, lists) else {
            return try node(Properties(place: before), .null)
        }
        if start == .afterIndicator, bytes[from..<position].contains(0x09) { start = .afterKey }
        var left = column
        var own = try properties()
        var first = own
        while !own.isEmpty, isAtLineEnd {
            skipToContent()
            guard next != nil, !isAtMark, isInside(indent, lists) else {
                return try node(own, YAMLScalar.value("", tag: own.tag))
            }
            (left, start) = (column, .ownLine)
            first = try properties()
            // Properties before a key on its line are the key's, not those of the whole.
            guard isAtLineEnd || !isKeyAhead else { break }
            own = own.with(first)
            if first.isEmpty { break }
        }
        return try content(below: indent, start, own, first, at: left)
    }

    /// True if nothing but a comment stands on the rest of the line.
    private var isAtLineEnd: Bool { next == nil || next.isOne(of: "\n#") }

    private func isInside(_ indent: Int, _ lists: Int?) -> Bool {
        column > indent || column == lists && isIndicator("-")
    }

    /// A node here; `whole` are the properties of a collection, and `first` those of its first key.
    private mutating func content(
        below indent: Int, _ start: Start, _ whole: Properties, _ first: Properties, at left: Int
    ) throws(Fault) -> JSONNode {
        if isIndicator("-") || isIndicator("?") || isIndicator(":") {
            guard start != .afterKey, first.isEmpty else {
                throw error("a collection must begin on a line of its own, got \(found)")
            }
            try refuseTab(before: position)
            let isList = isIndicator("-")
            return try node(whole, isList ? blockList(at: column) : blockMembers(at: column, nil))
        }
        if next.isOne(of: "|>") { return try node(whole, .string(blockScalar(below: indent))) }
        let (line, beginning, isAlias) = (line, position, next == UInt8(ascii: "*"))
        try refuse(isAlias, behind: first)
        let atom = try atom()
        let mark = (position, lineStart, self.line)
        skipSpaces()
        if self.line == line, isIndicator(":") {
            guard start != .afterKey else {
                throw error("a key cannot stand here; put it on a line of its own")
            }
            try refuseTab(before: beginning)
            let name = try name(atom, first)
            // Properties on the line of the first key are the key's.
            let own = whole.place == first.place ? Properties(place: first.place) : whole
            return try node(own, blockMembers(at: left, (name, first.place)))
        }
        (position, lineStart, self.line) = mark
        try refuse(isAlias, behind: whole)
        guard atom.isPlain, case .string(let text) = atom.value.value else {
            return try node(whole, atom)
        }
        let whole = whole.with(first)
        let all = try plainRest(of: text, below: indent)
        return try node(whole, YAMLScalar.value(all, tag: whole.tag))
    }

    /// True if a key with `:` stands on the rest of this line.
    private var isKeyAhead: Bool {
        var parser = self
        guard (try? parser.atom()) != nil, parser.line == line else { return false }
        parser.skipSpaces()
        return parser.isIndicator(":")
    }

    private mutating func blockList(at left: Int) throws(Fault) -> JSONNode.Value {
        try descend()
        defer { depth -= 1 }
        var elements: [JSONNode] = []
        while isIndicator("-"), column == left {
            position += 1
            elements.append(try blockNode(below: left, .afterIndicator))
            try endLine()
            if column > left, next != nil, !isAtMark {
                throw error("this line is indented as none above it")
            }
        }
        return .array(elements)
    }

    /// The members of a mapping whose keys begin at a column; its first key may be read already.
    private mutating func blockMembers(
        at left: Int, _ given: (name: Name, place: TextPlace)?
    ) throws(Fault) -> JSONNode.Value {
        try descend()
        defer { depth -= 1 }
        var members = Members()
        var given = given
        repeat {
            let start = given?.place ?? place
            let isExplicit = given == nil && isIndicator("?")
            let name: Name
            if let given {
                name = given.name
            } else if isExplicit {
                position += 1
                name = try Name(blockNode(below: left, .afterIndicator), isPlain: false)
                try endLine()
            } else {
                name = try blockKey()
            }
            var value = JSONNode(value: .null, place: start)
            if !isExplicit || column == left && isIndicator(":") {
                position += 1
                value = try blockNode(
                    below: left, isExplicit ? .afterIndicator : .afterKey, listAt: left)
            }
            try add(name, start, value, to: &members)
            given = nil
            try endLine()
            guard next != nil, !isAtMark else { break }
            if column > left { throw error("this line is indented as none above it") }
            try refuseTab(before: position)
        } while column == left && !isIndicator("-")
        return .object(members.all)
    }

    /// A key up to its `:`.
    private mutating func blockKey() throws(Fault) -> Name {
        let (line, own) = (line, try properties())
        try refuse(next == UInt8(ascii: "*"), behind: own)
        let empty = Atom(value: JSONNode(value: .string(""), place: place), isPlain: true)
        let name = try name(isIndicator(":") ? empty : atom(), own)
        skipSpaces()
        guard self.line == line, isIndicator(":") else {
            throw error("expected ':' after \"\(name.text.excerpt())\", got \(found)")
        }
        return name
    }

    /// A text in lines behind `|` or `>`.
    private mutating func blockScalar(below indent: Int) throws(Fault) -> String {
        let isFolded = next == UInt8(ascii: ">")
        position += 1
        var (chomping, left): (UInt8?, Int?) = (nil, nil)
        while let byte = next, next.isOne(of: "+-123456789") {
            let isDigit = byte > 0x30
            guard isDigit ? left == nil : chomping == nil else { break }
            if isDigit { left = max(indent, 0) + Int(byte - 0x30) } else { chomping = byte }
            position += 1
        }
        let from = position
        skipSpaces()
        if next == UInt8(ascii: "#"), position > from { skipLine() }
        guard next == nil || next == .lineFeed else {
            throw error("expected the end of the line, got \(found)")
        }
        if next != nil { takeLineFeed() }
        let lines = try scalarLines(below: indent, left)
        return YAMLScalar.text(of: lines, isFolded: isFolded, chomping)
    }

    /// The lines of a text without their indentation, the empty ones at its end too.
    private mutating func scalarLines(
        below indent: Int, _ given: Int?
    ) throws(Fault) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var (left, widest) = (given, 0)
        while next != nil {
            let start = position
            while next == 0x20, left.map({ column < $0 }) ?? true { position += 1 }
            let (width, isEmpty) = (column, next == nil || next == .lineFeed)
            if isEmpty {
                widest = max(widest, width)
            } else if left == nil, width > indent {
                guard widest <= width else {
                    throw error("an empty line above is indented further than this text")
                }
                left = width
            }
            guard isEmpty || width > indent && width >= left ?? 0 && !isAtMark else {
                position = start
                break
            }
            let text = position
            skipLine()
            lines.append(bytes[text..<position])
            if next != nil { takeLineFeed() }
        }
        return lines
    }
}
