/// A line of fields separated by fixed texts, as nginx' `log_format` and Apache's `LogFormat`
/// describe it.
struct PatternFormat {
    /// The description.
    private(set) var text: String
    /// The unit of its duration, where the log's lines told it.
    private(set) var unit: DurationUnit?
    /// The names in it.
    private var names: [String] = []
    private var pieces: [(literal: [UInt8], field: LogField?)] = []
    /// True to ignore text after the last piece.
    var ignoresRest = false

    /// Parses a description.
    ///
    /// - Throws: the part of it that is not understood.
    init(_ text: String) throws {
        self.text = text
        if text.contains("$") { try readNginx() } else { try readApache() }
        guard has(.request) || has(.target) || has(.path) else {
            throw LogProblem(
                "the format '\(text)' must have the request, as \"$request\" or \"%r\"")
        }
        guard has(.time) || has(.beginning) else {
            throw LogProblem("the format '\(text)' must have a time, as [$time_local] or %t")
        }
        skipCoarseDurations()
    }

    /// Of several durations of a line the finest counts: `%T` are the whole seconds of `%D`.
    private mutating func skipCoarseDurations() {
        func power(_ field: LogField?) -> Int? {
            if case .duration(let power)? = field { power } else { nil }
        }
        guard let finest = pieces.compactMap({ power($0.field) }).min() else { return }
        var isTaken = false
        for index in pieces.indices where power(pieces[index].field) != nil {
            if isTaken || power(pieces[index].field) != finest { pieces[index].field = .skipped }
            isTaken = isTaken || power(pieces[index].field) == finest
        }
    }

    /// True if a value between separators may be quoted.
    private var isQuoting = false

    /// Fields by name, separated by one character, as `#Fields:` lists them.
    init(fields: [LogField], names: [String], separator: UInt8, text: String) {
        (self.text, self.names, isQuoting) = (text, names, true)
        for (index, field) in fields.enumerated() {
            pieces.append((index == 0 ? [] : [separator], field))
        }
    }

    /// Fields between fixed texts, as they were found in a log.
    init(
        _ pieces: [(literal: [UInt8], field: LogField)], text: String, ignoresRest: Bool,
        unit: DurationUnit? = nil
    ) {
        self.unit = unit
        self.pieces = pieces.map { ($0.literal, $0.field == .literal ? nil : $0.field) }
        self.text = text
        self.ignoresRest = ignoresRest
    }

    func has(_ field: LogField) -> Bool { pieces.contains { $0.field == field } }

    /// Reads a line; false if it has another form.
    func read(_ line: Bytes, _ raw: inout RawRequest) -> Bool {
        var place = 0
        var clock: (from: Int, to: Int)?
        for index in pieces.indices {
            let literal = pieces[index].literal
            guard let next = line.end(of: literal, at: place) else { return false }
            place = next
            guard let field = pieces[index].field else { continue }
            guard let end = end(of: index, in: line, from: place) else { return false }
            switch field {
            case .date: clock = (place, end)
            case .clock:
                // Date and time are separate but adjacent fields, and are parsed as one.
                if let start = clock?.from, start < end {
                    guard LogField.time.read(line[part: start..<end], into: &raw) else {
                        return false
                    }
                }
            default:
                guard field.read(line[part: place..<end], into: &raw) else { return false }
            }
            place = end
        }
        raw.measure()
        return ignoresRest || place == line.count
    }

    /// The end of a field: the next fixed text.
    private func end(of index: Int, in line: Bytes, from place: Int) -> Int? {
        guard index + 1 < pieces.count else {
            return ignoresRest ? line.first(0x20, from: place) ?? line.count : line.count
        }
        let (next, after) = pieces[index + 1]
        if isQuoting, place < line.count, line[place] == 0x22 {
            var start = place + 1
            while let quote = line.first(0x22, from: start) {
                if line.matches(next, at: quote + 1) { return quote + 1 }
                start = quote + 1
            }
        }
        guard pieces[index].literal.last == 0x22, next.first == 0x22 else {
            // Of several spaces before the next field none is this one's.
            var end = line.first(of: next, from: place)
            while next.first == 0x20, let last = end, last > place, line[last - 1] == 0x20 {
                end = last - 1
            }
            return end
        }
        // A quote within the text has a backslash before it, or stands there as it came: then the
        // text ends where what follows fits, as a status does.
        func fits(_ quote: Int) -> Bool {
            guard line.matches(next, at: quote) else { return false }
            let start = quote + next.count
            guard after == .status, start < line.count else { return true }
            return (0x30...0x39).contains(line[start]) || line[start] == 0x2d
        }
        var start = place
        while let quote = line.closingQuote(from: start) {
            if fits(quote) { return quote }
            start = quote + 1
        }
        start = place
        while let quote = line.first(0x22, from: start) {
            if fits(quote) { return quote }
            start = quote + 1
        }
        return nil
    }

    /// The format with the units that the first lines tell.
    func settled(by lines: [[UInt8]]) -> PatternFormat {
        var format = self
        guard let place = pieces.firstIndex(where: { $0.field?.isBare == true }),
            case .bareDuration(let custom)? = pieces[place].field
        else { return self }
        for index in pieces.indices where index != place && pieces[index].field?.isBare == true {
            format.pieces[index].field = .skipped
        }
        format.unit = DurationUnit(
            field: durationName ?? "column \(place + 1)", custom: custom, of: lines,
            option: text.replacing("$duration", with: "$duration_ns")
        ) { format.read($0, &$1) }
        guard let power = format.unit?.power else { return format }
        guard format.unit?.doubt == nil else {
            format.pieces[place].field = .skipped
            return format
        }
        format.pieces[place].field = .duration(power: power)
        if durationName == nil {
            let name = power == 9 ? "request_time" : "duration_\(DurationUnit.symbols[power] ?? "")"
            format.text = text.replacing("$duration", with: "$" + name)
        }
        return format
    }

    /// The name of the first duration without a known unit.
    private var durationName: String? { names.first { LogField(named: $0).isBare } }

    private mutating func readNginx() throws {
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                literal.append(byte)
                continue
            }
            let isBraced = rest.first == UInt8(ascii: "{")
            if isBraced { rest.removeFirst() }
            let name = rest.prefix { isBraced ? $0 != 0x7d : Self.isNameByte($0) }
            rest = rest.dropFirst(name.count + (isBraced ? 1 : 0))
            let text = String(decoding: name, as: UTF8.self)
            names.append(text)
            try append(literal, Self.nginx(text))
            literal = []
        }
        if !literal.isEmpty { pieces.append((literal, nil)) }
    }

    private mutating func append(_ literal: [UInt8], _ field: LogField) throws {
        guard pieces.isEmpty || !literal.isEmpty else {
            throw LogProblem("the format '\(text)' has two fields with nothing between them")
        }
        pieces.append((literal, field))
    }

    /// The meaning of nginx' variables, and of others by the names that servers use.
    private static func nginx(_ name: String) -> LogField {
        if name.hasPrefix("cookie_") { return .person(.token) }
        return name == "request_time" ? .duration(power: 9) : LogField(named: name)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == 0x5f || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }

    private mutating func readApache() throws {
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let next = rest.first else {
                // A quote may be escaped as in the configuration file.
                if byte == 0x5c, rest.first == 0x22 { continue }
                literal.append(byte)
                continue
            }
            if next == byte {
                rest.removeFirst()
                literal.append(byte)
                continue
            }
            rest = rest.drop { ">,!<".utf8.contains($0) || (0x30...0x39).contains($0) }
            var argument = ""
            if rest.first == 0x7b {
                let words = rest.dropFirst().prefix { $0 != 0x7d }
                argument = String(decoding: words, as: UTF8.self)
                rest = rest.dropFirst(words.count + 2)
            }
            let letter = rest.popFirst() ?? 0
            if letter == UInt8(ascii: "t"), argument.isEmpty {
                try append(literal + [0x5b], .beginning)
                literal = [0x5d]
            } else {
                try append(literal, Self.apache(letter, argument))
                literal = []
            }
        }
        if !literal.isEmpty { pieces.append((literal, nil)) }
    }

    private static func apache(_ letter: UInt8, _ argument: String) -> LogField {
        switch (Character(Unicode.Scalar(letter)), argument.lowercased()) {
        case ("i", "x-forwarded-for"): .person(.forwarded)
        case ("h", _), ("a", _): .person(.address)
        case ("u", _): .person(.user)
        case ("i", "authorization"): .person(.token)
        case ("i", "user-agent"): .agent
        case ("r", _): .request
        case ("m", _): .method
        case ("U", _): .path
        case ("q", _): .query
        case ("s", _): .status
        case ("b", _), ("B", _), ("O", _): .bytes
        case ("I", _): .requestBytes
        case ("D", _), ("T", "us"): .duration(power: 3)
        case ("T", "ms"): .duration(power: 6)
        case ("T", _): .duration(power: 9)
        case ("t", let moment): moment.hasPrefix("end:") ? .time : .beginning
        default: .skipped
        }
    }
}
