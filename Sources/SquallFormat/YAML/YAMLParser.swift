/// Reads a document of YAML 1.2 into the tree that ``JSONParser`` makes of JSON.
///
/// The core schema decides what is a number, a truth value or null, so `yes` and `1:30` are texts.
/// Aliases and merge keys (`<<`) are followed. YAML without a form in JSON is refused: several
/// documents, keys that are collections, tags other than the core schema's.
struct YAMLParser: ByteReader {
    /// The deepest nesting of collections.
    static let depthMax = 64
    typealias Fault = JSONSyntaxError

    /// The most values, counting those that aliases repeat.
    static let valuesMax = 2_000_000

    let bytes: [UInt8]
    var position = 0
    var line = 1
    var lineStart = 0
    var counted = (position: 0, characters: 0)
    var depth = 0
    private var values = 0
    private var anchors: [String: (node: JSONNode, values: Int)] = [:]
    /// Anchors of collections that are being read.
    private var open: Set<String> = []

    /// Parses a text that is one document.
    static func parse(_ bytes: [UInt8]) throws(Fault) -> JSONNode {
        var parser = YAMLParser(bytes)
        return try parser.document()
    }

    private init(_ text: [UInt8]) {
        guard text.contains(0x0d) else {
            bytes = text
            return
        }
        // Line breaks of other systems count as one.
        let lines = String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
        bytes = Array(lines.replacing("\r", with: "\n").utf8)
    }

    private mutating func document() throws(Fault) -> JSONNode {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { (position, lineStart) = (3, 3) }
        var hasDirective = false
        skipToContent()
        while next == UInt8(ascii: "%"), column == 0 {
            hasDirective = true
            skipLine()
            skipToContent()
        }
        let isMarked = isAt("---")
        if isMarked {
            position += 3
        } else if hasDirective {
            throw error("expected '---' after the directives")
        }
        let node = try blockNode(below: -1, isMarked ? .afterKey : .ownLine)
        try endLine()
        while isAt("...") {
            position += 3
            try endLine()
        }
        guard next == nil else {
            throw error(
                isAt("---") || next == UInt8(ascii: "%")
                    ? "a second document begins; keep one document in a file"
                    : "expected the end of the file, got \(found)")
        }
        return node
    }
}

/// Properties: what stands before a node.
extension YAMLParser {
    struct Properties {
        var anchor: String?
        var tag: String?
        var place: TextPlace
        /// The values before the anchor.
        var before = 0

        var isEmpty: Bool { anchor == nil && tag == nil }

        /// These properties, with others in the places that they leave empty.
        func with(_ others: Properties) -> Properties {
            Properties(
                anchor: anchor ?? others.anchor, tag: tag ?? others.tag, place: place,
                before: anchor == nil ? others.before : before)
        }
    }

    /// The anchor and the tag here, if there are any.
    mutating func properties() throws(Fault) -> Properties {
        var properties = Properties(place: place)
        while let byte = next {
            if byte == UInt8(ascii: "&"), properties.anchor == nil {
                position += 1
                let anchor = try anchorName()
                (properties.anchor, properties.before) = (anchor, values)
                // From here on the name is that of what follows, also inside of it.
                anchors[anchor] = nil
                open.insert(anchor)
            } else if byte == UInt8(ascii: "!"), properties.tag == nil {
                properties.tag = try tag()
            } else {
                break
            }
            guard next == nil || next.isOne(of: " \t\n,]}") else {
                throw error("expected a space, got \(found)")
            }
            skipSpaces()
        }
        return properties
    }

    private mutating func tag() throws(Fault) -> String {
        let start = place
        let text = word(until: byte(after: 1) == UInt8(ascii: "<") ? " \t\n" : " \t\n,[]{}")
        let core = ["null", "bool", "int", "float", "str", "map", "seq"]
        let names = ["!!", "!<tag:yaml.org,2002:"].lazy.filter { text.hasPrefix($0) }
            .map { String(text.dropFirst($0.utf8.count).prefix { $0 != ">" }) }
        if text == "!" { return "str" }
        guard let name = names.first, core.contains(name) else {
            throw error(
                "the tag \(text.excerpt()) is not read; take it away, since only data is", at: start
            )
        }
        return name
    }

    private mutating func anchorName() throws(Fault) -> String {
        let name = word(until: " \t\n,[]{}")
        guard !name.isEmpty else { throw error("expected the name of an anchor, got \(found)") }
        return name
    }

    private mutating func word(until ends: String) -> String {
        let from = position
        while next != nil, !next.isOne(of: ends) { position += 1 }
        return String(decoding: bytes[from..<position], as: UTF8.self)
    }

    /// The node that an alias here stands for.
    mutating func alias() throws(Fault) -> JSONNode {
        let start = place
        position += 1
        let name = try anchorName()
        guard let known = anchors[name] else {
            throw error(
                open.contains(name)
                    ? "*\(name.excerpt()) stands in what it refers to"
                    : "there is no anchor &\(name.excerpt()) before this", at: start)
        }
        try count(known.values)
        return JSONNode(value: known.node.value, place: start)
    }

    /// Refuses an alias behind an anchor or a tag: it is another node, which has its own.
    mutating func refuse(_ isAlias: Bool, behind properties: Properties) throws(Fault) {
        guard isAlias, !properties.isEmpty else { return }
        throw error("an alias has neither an anchor nor a tag of its own")
    }

    /// Counts values, those that aliases repeat too.
    mutating func count(_ more: Int) throws(Fault) {
        values += more
        guard values <= Self.valuesMax else {
            throw error("the document has more than \(Units.grouped(Int64(Self.valuesMax))) values")
        }
    }

    /// A node of a value that was read behind its properties, kept by its anchor.
    mutating func node(
        _ properties: Properties, _ value: JSONNode.Value
    ) throws(Fault) -> JSONNode {
        let node = JSONNode(value: value, place: properties.place)
        try count(1)
        if let anchor = properties.anchor {
            open.remove(anchor)
            anchors[anchor] = (node, values - properties.before)
        }
        return node
    }

    /// Begins a collection one level deeper; who reads it takes the level back.
    mutating func descend() throws(Fault) {
        depth += 1
        guard depth <= Self.depthMax else {
            throw error("collections are nested deeper than \(Self.depthMax)")
        }
    }
}

extension YAMLParser {
    /// The number of bytes between the beginning of the line and here.
    var column: Int { position - lineStart }

    /// True if an indicator is followed by a space, as one must be.
    func isIndicator(_ character: Unicode.Scalar) -> Bool {
        next == UInt8(ascii: character) && byte(after: 1).isBlank
    }

    func isAt(_ mark: String) -> Bool {
        column == 0 && bytes[position...].starts(with: mark.utf8) && byte(after: 3).isBlank
    }

    var isAtMark: Bool { isAt("---") || isAt("...") }

    mutating func skipSpaces() {
        while let byte = next, byte.isSpace { position += 1 }
    }

    mutating func skipLine() {
        while next != nil, next != .lineFeed { position += 1 }
    }

    /// Goes on behind line feeds and spaces, and returns the number of line feeds.
    mutating func takeLineFeeds() -> Int {
        let first = line
        skipSpaces()
        while next == .lineFeed {
            takeLineFeed()
            skipSpaces()
        }
        return line - first
    }

    /// Skips spaces, comments and empty lines; returns true if a line has ended.
    @discardableResult
    mutating func skipToContent() -> Bool {
        var isNewLine = false
        while true {
            skipSpaces()
            switch next {
            case .lineFeed:
                takeLineFeed()
                isNewLine = true
            case UInt8(ascii: "#") where position == 0 || bytes[position - 1] <= 0x20:
                skipLine()
            default: return isNewLine
            }
        }
    }

    /// Refuses a tab before a collection on a line of its own, where the indentation decides.
    mutating func refuseTab(before start: Int) throws(Fault) {
        let margin = bytes[lineStart..<start]
        guard margin.contains(0x09), margin.allSatisfy(\.isSpace) else { return }
        throw error("a tab cannot indent; use spaces", at: TextPlace(line: line, column: 1))
    }

    /// Goes to the next content, which must be on another line than what was read.
    mutating func endLine() throws(Fault) {
        let isAtStart = bytes[lineStart..<position].allSatisfy(\.isSpace)
        guard !skipToContent(), !isAtStart, next != nil else { return }
        throw error("expected the end of the line, got \(found)")
    }

    mutating func error(_ problem: String, at given: TextPlace? = nil) -> JSONSyntaxError {
        JSONSyntaxError(place: given ?? place, problem: problem)
    }
}

extension UInt8 {
    static let lineFeed: UInt8 = 0x0a
    /// A space or a tab.
    var isSpace: Bool { self == 0x20 || self == 0x09 }
}

extension UInt8? {
    /// True for a byte that is one of some.
    func isOne(of characters: String) -> Bool {
        map { characters.utf8.contains($0) } ?? false
    }

    /// True for a space, a tab, the end of the line or that of the file.
    var isBlank: Bool { map { $0.isSpace || $0 == .lineFeed } ?? true }
}
