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
    ) throws(JSONSyntaxError) -> JSONNode {
        let (before, from) = (place, position)
        var start = start
        if try skipToContent() { start = .ownLine }
        guard next != nil, !isAtMark, start != .ownLine || isInside(indent, lists) else {
            return try node(Properties(place: before), .null)
        }
        if start == .afterIndicator, bytes[from..<position].contains(0x09) { start = .afterKey }
        var left = column
        var own = try properties()
        var first = own
        while !own.isEmpty, isAtLineEnd {
            try skipToContent()
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
    private var isAtLineEnd: Bool {
        next == nil || next == .lineFeed || next == UInt8(ascii: "#")
    }

    private func isInside(_ indent: Int, _ lists: Int?) -> Bool {
        column > indent || column == lists && isIndicator("-")
    }

    /// A node here; `whole` are the properties of a collection, and `first` those of its first key.
    private mutating func content(
        below indent: Int, _ start: Start, _ whole: Properties, _ first: Properties, at left: Int
    ) throws(JSONSyntaxError) -> JSONNode {
        if isIndicator("-") || isIndicator("?") || isIndicator(":") {
            return try indicated(start, whole, first)
        }
        if let byte = next, byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">") {
            return try node(whole, .string(blockScalar(below: indent)))
        }
        let beginning = position
        let (line, isPlain) = (line, next.map { !"\"'[{*".utf8.contains($0) } ?? false)
        try refuseAlias(behind: first)
        let isAlias = next == UInt8(ascii: "*")
        let atom = try atom(below: indent)
        let mark = (position, lineStart, self.line)
        skipSpaces()
        if self.line == line, isIndicator(":") {
            guard start != .afterKey else {
                throw error("a key cannot stand here; put it on a line of its own")
            }
            try refuseTab(before: beginning)
            let name = try keep(atom, first)
            // Properties on the line of the first key are the key's.
            let own = whole.place == first.place ? Properties(place: first.place) : whole
            return try node(own, blockMembers(at: left, (name, first.place)))
        }
        (position, lineStart, self.line) = mark
        if isAlias, !whole.isEmpty { throw aliasError }
        guard case .plain(let text) = atom, isPlain else { return try kept(atom, whole) }
        let whole = whole.with(first)
        let all = try plainRest(of: text, below: indent)
        return try node(whole, YAMLScalar.value(all, tag: whole.tag))
    }

    /// A collection whose first indicator stands here.
    private mutating func indicated(
        _ start: Start, _ whole: Properties, _ first: Properties
    ) throws(JSONSyntaxError) -> JSONNode {
        guard start != .afterKey, first.isEmpty else {
            throw error("a collection must begin on a line of its own, got \(found)")
        }
        try refuseTab(before: position)
        let left = column
        return try node(
            whole, isIndicator("-") ? blockList(at: left) : blockMembers(at: left, nil))
    }

    /// True if a key with `:` stands on the rest of this line.
    private var isKeyAhead: Bool {
        var parser = self
        guard (try? parser.atom(below: -1)) != nil, parser.line == line else {
            return false
        }
        parser.skipSpaces()
        return parser.isIndicator(":")
    }

    private mutating func blockList(at left: Int) throws(JSONSyntaxError) -> JSONNode.Value {
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
    ) throws(JSONSyntaxError) -> JSONNode.Value {
        try descend()
        defer { depth -= 1 }
        var members = Members()
        var given = given
        repeat {
            let start = given?.place ?? place
            if given == nil, isIndicator("?") {
                position += 1
                let key = try blockNode(below: left, .afterIndicator)
                try endLine()
                let name = try Name(key, isPlain: false)
                var value = JSONNode(value: .null, place: start)
                if next != nil, column == left, isIndicator(":") {
                    position += 1
                    value = try blockNode(below: left, .afterIndicator, listAt: left)
                }
                try add(name, start, value, to: &members)
            } else {
                let name: Name
                if let given { name = given.name } else { name = try blockKey() }
                position += 1
                let value = try blockNode(below: left, .afterKey, listAt: left)
                try add(name, start, value, to: &members)
            }
            given = nil
            try endLine()
            guard next != nil, !isAtMark else { break }
            if column > left { throw error("this line is indented as none above it") }
            try refuseTab(before: position)
        } while column == left && !isIndicator("-")
        return .object(members.all)
    }

    /// A key up to its `:`.
    private mutating func blockKey() throws(JSONSyntaxError) -> Name {
        let (line, own) = (line, try properties())
        if isIndicator(":") { return try keep(.plain(""), own) }
        try refuseAlias(behind: own)
        let name = try keep(atom(below: -1), own)
        skipSpaces()
        guard self.line == line, isIndicator(":") else {
            throw error("expected ':' after \"\(name.text.excerpt())\", got \(found)")
        }
        return name
    }

    /// A text in lines behind `|` or `>`.
    private mutating func blockScalar(below indent: Int) throws(JSONSyntaxError) -> String {
        let isFolded = next == UInt8(ascii: ">")
        position += 1
        var (chomping, given): (UInt8?, Int?) = (nil, nil)
        while let byte = next, "+-123456789".utf8.contains(byte) {
            let isDigit = byte > 0x30
            guard isDigit ? given == nil : chomping == nil else { break }
            if isDigit { given = Int(byte - 0x30) } else { chomping = byte }
            position += 1
        }
        let from = position
        skipSpaces()
        if next == UInt8(ascii: "#"), position > from { skipLine() }
        guard next == nil || next == .lineFeed else {
            throw error("expected the end of the line, got \(found)")
        }
        if next != nil { takeLineFeed() }
        let lines = try scalarLines(below: indent, given.map { max(indent, 0) + $0 })
        return YAMLScalar.text(of: lines, isFolded: isFolded, chomping)
    }

    /// The lines of a text without their indentation, the empty ones at its end too.
    private mutating func scalarLines(
        below indent: Int, _ given: Int?
    ) throws(JSONSyntaxError) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var left = given
        var widest = 0
        while next != nil {
            let start = position
            while next == 0x20, left.map({ position - start < $0 }) ?? true { position += 1 }
            let end = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
            let width = position - start
            if position == end {
                widest = max(widest, width)
                lines.append([])
            } else {
                if left == nil, width > indent {
                    guard widest <= width else {
                        throw error("an empty line above is indented further than this text")
                    }
                    left = width
                }
                guard let left, width >= left, width > indent, !(start == lineStart && isAtMark)
                else {
                    position = start
                    break
                }
                lines.append(bytes[position..<end])
            }
            position = end
            if next != nil { takeLineFeed() }
        }
        return lines
    }
}
