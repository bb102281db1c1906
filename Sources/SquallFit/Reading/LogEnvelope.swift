/// The text that containers and collectors put around a line.
enum LogEnvelope: CaseIterable {
    /// Docker's json-file, or another object with the line as a text in it.
    case object
    /// Kubernetes' container runtimes: `2026-01-02T03:04:05.6Z stdout F `.
    case container
    /// `web-1  | `, as docker compose prints it.
    case compose
    /// Syslog, of RFC 3164 or 5424.
    case syslog
    /// A JSON object behind other text.
    case prefix
    /// A cell of a table, in which quotes are doubled.
    case cell

    /// A line and, where the envelope tells it, its time.
    typealias Content = (line: [UInt8], time: [UInt8])

    /// The names of members that have the whole line.
    private static let lineNames = [
        "log", "message", "msg", "MESSAGE", "textPayload", "_raw", "line", "properties",
    ]

    /// The envelope of most lines; nil for none.
    static func around(_ lines: [[UInt8]]) -> LogEnvelope? {
        let own = lines.filter { !$0.isEmpty }
        return allCases.first { envelope in
            own.count { envelope.content(of: $0) != nil } * 2 > own.count
                && (envelope != .object || !own.contains(where: hasRequest))
        }
    }

    /// The content of a line; `nil` if it has no such envelope.
    func content(of line: [UInt8]) -> Content? {
        line.withUnsafeBufferPointer { line in
            switch self {
            case .object: Self.object(line)
            case .container: Self.container(line)
            case .compose: Self.compose(line)
            case .syslog: Self.syslog(line)
            case .prefix: Self.prefix(line)
            case .cell: Self.cell(line)
            }
        }
    }

    private static func object(_ line: Bytes) -> Content? {
        guard line.first == 0x7b else { return nil }
        var (content, time): ([UInt8], [UInt8]) = ([], [])
        var scanner = JSONScanner(line: line)
        let isWhole = scanner.members { name, value, isText in
            if isText, lineNames.contains(where: { name.elementsEqual($0.utf8) }) {
                if content.count < value.count { content = unescaped(value) }
            } else if LogField.known[LogField.key(name)] == .time, time.isEmpty {
                time = Array(value)
            }
        }
        guard isWhole, content.count > 20 else { return nil }
        return (content, time)
    }

    /// True for an object that is a request itself; a path alone may be that of the log's file.
    private static func hasRequest(_ line: [UInt8]) -> Bool {
        line.withUnsafeBufferPointer { line in
            guard line.first == 0x7b else { return false }
            var fields: Set<LogField> = []
            var scanner = JSONScanner(line: line)
            _ = scanner.members { name, _, _ in
                if let field = LogField.known[LogField.key(name)] { fields.insert(field) }
            }
            return fields.contains(.method) || fields.contains(.request)
                || fields.contains(.status)
                    && (fields.contains(.target) || fields.contains(.template))
        }
    }

    /// A JSON text without its escapes and its end of line.
    private static func unescaped(_ text: Bytes) -> [UInt8] {
        var (bytes, place) = ([UInt8](), 0)
        while place < text.count {
            guard text[place] == 0x5c, place + 1 < text.count else {
                bytes.append(text[place])
                place += 1
                continue
            }
            place += 2
            switch text[place - 1] {
            case 0x6e: bytes.append(0x0a)
            case 0x74: bytes.append(0x09)
            case 0x72: bytes.append(0x0d)
            case 0x75 where place + 4 <= text.count:
                let code = String(decoding: text[part: place..<place + 4], as: UTF8.self)
                bytes +=
                    UInt32(code, radix: 16).flatMap(Unicode.Scalar.init)
                    .map { Array(String(Character($0)).utf8) } ?? [0x3f]
                place += 4
            default: bytes.append(text[place - 1])
            }
        }
        while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
        return bytes
    }

    private static func container(_ line: Bytes) -> Content? {
        guard let space = line.first(0x20), LogTime.nanoseconds(line[part: 0..<space]) != nil else {
            return nil
        }
        let rest = line[part: space + 1..<line.count]
        // A P stands before a part of a line that goes on.
        guard rest.hasPrefix("stdout F ") || rest.hasPrefix("stderr F ") else { return nil }
        return (Array(rest[9...]), Array(line[..<space]))
    }

    private static func compose(_ line: Bytes) -> Content? {
        guard let bar = line.first(0x7c), bar > 1, bar < 60, bar + 2 < line.count,
            line[bar - 1] == 0x20, line[bar + 1] == 0x20 || (0x30...0x39).contains(line[bar + 1])
        else { return nil }
        let name = line.trimmed(to: bar)
        // A time or an address is a column.
        guard LogTime.nanoseconds(name) == nil, !name.isAddress,
            !name.contains(where: { [0x20, 0x22, 0x5b].contains($0) })
        else { return nil }
        // Sanic has no space between the bar and its date.
        return (Array(line[(line[bar + 1] == 0x20 ? bar + 2 : bar + 1)...]), [])
    }

    private static func syslog(_ line: Bytes) -> Content? {
        var place = 0
        if line.first == 0x3c {
            guard let end = line.first(0x3e), end < 6 else { return nil }
            place = end + 1
            if line[part: place..<line.count].hasPrefix("1 ") { return modernSyslog(line, place) }
        }
        let rest = line[part: place..<line.count]
        guard rest.count > 16, isMonth(rest) || place > 0 || isISO(rest) else { return nil }
        let start = isISO(rest) ? (rest.first(0x20) ?? 0) : (rest.first(0x20, from: 15) ?? 15)
        let head = rest[part: start..<min(rest.count, start + 160)]
        guard let colon = head.first(of: [0x3a, 0x20], from: 0) else { return nil }
        // Before the colon stand a host and a program, and no quote or bracket of a log's line.
        let words = head[part: 0..<colon]
        guard words.first(0x22) == nil, words.first(0x2f) == nil, words.count < 120 else {
            return nil
        }
        return (Array(rest[(start + colon + 2)...]), Array(rest[part: 0..<start]))
    }

    /// `<134>1 time host program process id data message`.
    private static func modernSyslog(_ line: Bytes, _ start: Int) -> Content? {
        var (place, time) = (start, [UInt8]())
        for word in 0..<6 {
            guard let space = line.first(0x20, from: place) else { return nil }
            // A hyphen stands for no time.
            if word == 1, space > place + 1 { time = Array(line[place..<space]) }
            place = space + 1
        }
        guard place < line.count else { return nil }
        if line[place] == 0x5b, let end = line.first(of: [0x5d, 0x20], from: place) {
            place = end + 2
        } else {
            place = (line.first(0x20, from: place) ?? line.count - 1) + 1
        }
        return place < line.count ? (Array(line[place...]), time) : nil
    }

    private static func isMonth(_ text: Bytes) -> Bool {
        (0x41...0x5a).contains(text[0]) && text[3] == 0x20 && text[6] == 0x20 && text[9] == 0x3a
            && text[12] == 0x3a
    }

    private static func isISO(_ text: Bytes) -> Bool {
        guard text.count > 30, text[4] == 0x2d, text[10] == 0x54, let end = text.first(0x20) else {
            return false
        }
        return LogTime.nanoseconds(text[part: 0..<end]) != nil
    }

    private static func prefix(_ line: Bytes) -> Content? {
        // Loki's labels stand in braces, too.
        var brace = line.first(0x7b)
        while let place = brace, place < 300, !isObject(line[part: place..<line.count]) {
            brace = line.first(0x7b, from: place + 1)
        }
        guard let brace, brace > 0, brace < 300 else { return nil }
        // Monolog and Rust's env_logger have the time in brackets, Caddy a tab behind it.
        let head = line[part: 0..<brace]
        // Fluentd has a date, an hour and a zone.
        let spaces = head.indices.filter { head[$0] == 0x20 }.prefix(3).reversed()
        let ends = [head.first(0x5d).map { $0 + 1 }, head.first(0x09)].compactMap(\.self) + spaces
        let time = ends.lazy.map { head[part: 0..<$0] }
            .first { LogTime.nanoseconds($0) != nil }
        return (Array(line[brace...]), time.map(Array.init) ?? [])
    }

    /// True for an object with three members or more.
    private static func isObject(_ text: Bytes) -> Bool {
        var (scanner, count) = (JSONScanner(line: text), 0)
        return scanner.members { _, _, _ in count += 1 } && count > 2
    }

    private static func cell(_ line: Bytes) -> Content? {
        guard line.first(of: [0x22, 0x22], from: 0) != nil else { return nil }
        var (content, time, place): ([UInt8], [UInt8], Int) = ([], [], 0)
        while place < line.count {
            let cell = line.cell(from: place, to: 0x2c)
            let text = line[part: cell.range]
            if text.count > content.count, text.first(of: [0x22, 0x22], from: 0) != nil {
                content = Array(text)
            } else if time.isEmpty, LogTime.nanoseconds(text) != nil {
                time = Array(text)
            }
            place = cell.next
        }
        guard content.count > 20 else { return nil }
        let parts = content.split(separator: [0x22, 0x22], omittingEmptySubsequences: false)
        return (Array(parts.joined(separator: [0x22])), time)
    }
}
