/// Lines with fields that have names: JSON objects, `key=value` words, `label:value` between tabs,
/// or columns below a header.
struct NamedFormat {
    private let shape: Shape
    private(set) var fields: NamedFields
    /// The bytes that a line has to contain to be a request, such as one of a load test's metrics.
    private var marks: [[UInt8]] = []

    /// The form of the fields in a line.
    enum Shape {
        case json, words, labels
        case table(separator: UInt8, names: [[UInt8]])
    }

    /// True for lines without a method: each request is taken for a GET.
    private let isGET: Bool
    /// True where some lines announce a request, and others with a status tell its end.
    private var needsStatus = false

    init(
        _ shape: Shape = .json, _ fields: NamedFields = NamedFields(), marks: [String] = [],
        isGET: Bool = false
    ) {
        self.shape = shape
        self.fields = fields
        self.marks = marks.map { Array($0.utf8) }
        self.isGET = isGET
    }

    var name: String {
        switch shape {
        case .json where !marks.isEmpty: "JSON output of k6"
        case .json: "JSON lines"
        case .words: "lines of key=value"
        case .labels: "labelled values (LTSV)"
        case .table where !marks.isEmpty: "CSV output of k6"
        case .table: "columns below a header"
        }
    }

    /// The unit of its duration, where the lines had to tell it.
    var unit: DurationUnit? {
        guard case .words = shape else { return fields.unit }
        return fields.unit.map {
            DurationUnit(
                field: $0.field, power: $0.power, evidence: $0.evidence,
                option: "logfmt duration=\($0.field):ns")
        }
    }

    /// True for a line that is none of a request.
    func passesOver(_ line: Bytes) -> Bool {
        !marks.allSatisfy { line.first(of: $0, from: 0) != nil }
    }

    /// True for the line with the columns' names.
    func isHeader(_ line: Bytes) -> Bool {
        guard case .table(_, let names) = shape, let first = names.first else { return false }
        return line.matches(first, at: 0) || line.matches([0x22] + first, at: 0)
    }

    /// Reads a line; false if it has another form.
    func read(_ line: Bytes, _ raw: inout RawRequest) -> Bool {
        let isWhole = members(of: line) { name, value, isText in
            fields.take(name, value, isText: isText, into: &raw)
        }
        raw.isGET = isGET
        raw.measure()
        return isWhole && isRequest(raw)
    }

    private func isRequest(_ raw: RawRequest) -> Bool {
        !raw.target.isEmpty && (raw.status != 0 || !needsStatus)
    }

    /// True for a line that is whole and has no request: another message of the same program.
    func isOther(_ line: Bytes) -> Bool {
        var raw = RawRequest()
        return members(of: line) { fields.take($0, $1, isText: $2, into: &raw) } && !isRequest(raw)
    }

    /// Reports each member of a line; false if the line has another form.
    private func members(
        of line: Bytes, _ tell: (_ name: Bytes, _ value: Bytes, _ isText: Bool) -> Void
    ) -> Bool {
        switch shape {
        case .json:
            var scanner = JSONScanner(line: line)
            return scanner.members(tell)
        case .words: return Self.words(of: line, tell)
        case .labels: return Self.labels(of: line, tell)
        case .table(let separator, let names):
            return Self.cells(of: line, separator, names, tell)
        }
    }

    /// The format with the meanings that the first lines show of its fields.
    ///
    /// - Throws: the field that is missing.
    func settled(by lines: [[UInt8]], hasTime: Bool) throws -> NamedFormat {
        var (format, survey) = (self, LogSurvey())
        for line in lines {
            line.withUnsafeBufferPointer { line in
                guard !passesOver(line) else { return }
                survey.beginLine()
                _ = members(of: line) { name, value, _ in survey.add(name, value) }
            }
        }
        guard !survey.columns.isEmpty else { return self }
        format.fields.settle(by: survey, hasTime: hasTime)
        if let problem = format.fields.problem(survey, hasTime: hasTime) {
            let isWords = if case .words = shape { true } else { false }
            throw LogProblem(
                "it has \(name), but"
                    + " \(isWords ? problem.replacing("'json ", with: "'logfmt ") : problem)")
        }
        format.needsStatus = format.announces(lines)
        format.fields.setUnit(by: lines) { [format] in format.read($0, &$1) }
        return format
    }
}

extension NamedFormat {
    /// True if many requests of some lines have a status, and many have none.
    private func announces(_ lines: [[UInt8]]) -> Bool {
        var (with, without) = (0, 0)
        for line in lines {
            var raw = RawRequest()
            line.withUnsafeBufferPointer { line in
                guard !passesOver(line), read(line, &raw) else { return }
                with += raw.status == 0 ? 0 : 1
                without += raw.status == 0 ? 1 : 0
            }
        }
        return min(with, without) * 4 > with + without
    }
}

/// Scans lines that are no JSON.
extension NamedFormat {
    /// Reports each `key=value` word, as logfmt and lograge write them, after a time in front of
    /// the first one as `time`; a value with spaces is quoted.
    private static func words(of line: Bytes, _ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        var (place, count) = (0, 0)
        var hasTime = false
        while place < line.count {
            while place < line.count, line[place] == 0x20 || line[place] == 0x5b { place += 1 }
            let start = place
            while place < line.count, line[place] != 0x20, line[place] != 0x3d { place += 1 }
            guard place < line.count, line[place] == 0x3d, place > start else {
                let word = line[part: start..<place]
                if count == 0, !hasTime, word.count >= 19, LogTime.nanoseconds(word) != nil {
                    hasTime = true
                    "time".withName { tell($0, word, true) }
                }
                if place == start { place += 1 }
                continue
            }
            let word = line[part: start..<place]
            // The fields of a span of Rust's tracing: `request{method=GET uri=/}: …`.
            let brace = word.first(0x7b) ?? -1
            let name = brace + 1 < word.count ? word[part: brace + 1..<word.count] : word
            let value = value(line, &place)
            count += 1
            tell(name, value, true)
        }
        return count >= 2
    }

    /// The value behind an equals sign.
    private static func value(_ line: Bytes, _ place: inout Int) -> Bytes {
        place += 1
        guard place < line.count, line[place] == 0x22 else {
            let start = place
            while place < line.count, line[place] != 0x20 { place += 1 }
            let isLast = place > start + 2 && line[place - 1] == 0x3a && line[place - 2] == 0x7d
            return line[part: start..<(isLast ? place - 2 : place)]
        }
        let start = place + 1
        place = line.closingQuote(from: start) ?? line.count
        defer { place = min(line.count, place + 1) }
        return line[part: start..<place]
    }

    /// Reports each `label:value` between tabs.
    private static func labels(of line: Bytes, _ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        var (place, count) = (0, 0)
        while place < line.count {
            let end = line.first(0x09, from: place) ?? line.count
            guard let colon = line.first(0x3a, from: place), colon < end else { return false }
            tell(line[part: place..<colon], line[part: colon + 1..<end], true)
            count += 1
            place = end + 1
        }
        return count >= 3
    }

    /// True if most lines have labels.
    static func areLabelled(_ lines: [[UInt8]]) -> Bool {
        let found = lines.count { line in
            line.withUnsafeBufferPointer { labels(of: $0) { _, _, _ in } }
        }
        return found * 2 > lines.count
    }

    /// Reports each column of a table with a header; a value may be quoted.
    private static func cells(
        of line: Bytes, _ separator: UInt8, _ names: [[UInt8]],
        _ tell: (Bytes, Bytes, Bool) -> Void
    ) -> Bool {
        var (place, column) = (0, 0)
        while place <= line.count {
            guard column < names.count else { return false }
            let (range, next) = line.cell(from: place, to: separator)
            names[column].withUnsafeBufferPointer { tell($0, line[part: range], true) }
            (column, place) = (column + 1, next)
        }
        return column == names.count
    }
}

extension String {
    /// The text as the name of a field.
    fileprivate func withName(_ body: (Bytes) -> Void) {
        Array(utf8).withUnsafeBufferPointer(body)
    }
}
