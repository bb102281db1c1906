import SquallFormat

/// Reads logs piece by piece and keeps what the estimates need.
///
/// **Start here** to read this module: `Reading/` makes a ``TrafficLog`` of files, `Estimates/`
/// computes from it the users and the cost of requests, `Writing/` makes a profile and an answer.
/// `OpenAPI/` makes a profile to begin with of a description (``ProfileDraft``).
public struct LogReader {
    /// The largest share of broken lines before a log is refused.
    private static let brokenShareMax = 0.5
    private static let lineMax = 1 << 20
    private static let documentMax = 64 << 20
    private static let linesBeforeJudging = 10_000

    private var collector: TrafficCollector
    private let format: LogFormat?

    /// A reader of logs in a format; nil to detect each file's format.
    ///
    /// Of paths only words stay that at least three users asked for, or all with `keepsWords`.
    ///
    /// - Throws: the fault in the description of the format.
    public init(
        format: String? = nil, filter: RequestFilter = RequestFilter(), keepsWords: Bool = false
    ) throws {
        self.format = try format.map { try LogFormat(named: $0) }
        collector = TrafficCollector(filter: filter, keepsWords: keepsWords)
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - pieces: returns the next bytes; nil or none at the end.
    ///   - progress: called after each piece with the bytes and lines read so far; returns false to
    ///     stop reading.
    /// - Throws: the reason for which it cannot be read; what `pieces` throws.
    public mutating func read(
        _ pieces: @escaping () throws -> [UInt8]?,
        progress: @escaping (_ bytes: Int, _ lines: Int) -> Bool = { _, _ in true }
    ) throws {
        guard var first = try pieces(), !first.isEmpty else { throw LogProblem("it is empty") }
        // A mark of the byte order is no part of the first line.
        if first.starts(with: [0xef, 0xbb, 0xbf]) { first.removeFirst(3) }
        if first.starts(with: [0xff, 0xfe]) || first.starts(with: [0xfe, 0xff]) {
            throw LogProblem("it is UTF-16; give it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE")
        }
        collector.noteFile()
        var isFirst = true
        let source = { [first] in
            guard isFirst else { return try pieces() }
            isFirst = false
            return first
        }
        var splitter = FileLines(format: format)
        var bytes = 0
        let take = { (piece: Bytes, collector: inout TrafficCollector) throws in
            try splitter.take(piece, &collector)
            bytes += piece.count
            try Self.judge(collector.reading, from: Self.linesBeforeJudging)
            guard progress(bytes, collector.reading.lines) else { throw StoppedReading() }
        }
        if first.starts(with: [0x1f, 0x8b]) {
            var inflater = Inflater(pull: source)
            try inflater.unpack { try take($0, &collector) }
        } else {
            while let piece = try source(), !piece.isEmpty {
                try piece.withUnsafeBufferPointer { try take($0, &collector) }
            }
        }
        try splitter.finish(&collector)
    }

    /// The log that was read.
    ///
    /// - Throws: when too much of it was unreadable, or it has no requests.
    public mutating func finish() throws -> TrafficLog {
        try Self.judge(collector.reading, from: 1)
        let log = collector.finish()
        try Self.checkUnits(log.reading)
        try Self.checkContent(log.reading, hasTimes: !log.histograms.isEmpty)
        return log
    }

    /// Refuses a log without a request that a profile can have.
    private static func checkContent(
        _ reading: TrafficLog.Reading, hasTimes: Bool
    ) throws(LogProblem) {
        let (leftOut, others) = (reading.leftOut.values.reduce(0, +), reading.otherMethods)
        switch reading.requests {
        case 0 where hasTimes: return
        case 0 where leftOut == 0: throw LogProblem("there is no request in it")
        case 0 where leftOut == reading.leftOut[.excluded]:
            throw LogProblem(
                "--include and --exclude leave out all of its"
                    + " \(Units.counted(leftOut, "request"))")
        case 0:
            throw LogProblem(
                "all of its \(Units.counted(leftOut, "request")) are left out, as static files,"
                    + " health checks or robots; take them in with --include '*'")
        case others:
            throw LogProblem(
                "none of its \(Units.counted(others, "request")) has a method that a profile can"
                    + " have: \(TrafficCollector.methods.joined(separator: ", ")); say which field"
                    + " is the verb with --format, as 'json method=NAME'")
        default: return
        }
    }

    /// The longest median of response times that is believed without an option.
    private static let medianMax = 60e9

    private static func checkUnits(_ reading: TrafficLog.Reading) throws {
        for (_, unit, median) in reading.units where median > medianMax && unit.evidence != .given {
            throw LogProblem(
                "\(unit.sentence(median: median)), which no server's requests have; say the unit"
                    + " with --format, as '\(unit.option)' (or us, ms, s)")
        }
    }

    private static func judge(_ reading: TrafficLog.Reading, from lines: Int) throws {
        guard reading.lines >= lines,
            Double(reading.broken) > brokenShareMax * Double(reading.lines)
        else { return }
        let quote = reading.quotes.first.map { ", such as '\($0)' (letters and digits hidden)" }
        throw LogProblem(
            "\(reading.broken) of \(reading.lines) lines are not in its format,"
                + " \(reading.formats.joined(separator: " or "))\(quote ?? ""); give the right one"
                + " with --format")
    }

    /// The lines of one file: buffers enough to detect the format, then reads each.
    private struct FileLines {
        private let given: LogFormat?
        private var found: LogFormat?
        private var envelope: LogEnvelope?
        /// `nil` where each request has a line of its own.
        private var pairs: RequestPairs?
        private var waiting: [[UInt8]] = []
        private var waitingBytes = 0
        /// The beginning of an incomplete line.
        private var rest: [UInt8] = []
        private var isSkipping = false
        /// True if lines have escape sequences of a terminal.
        private var hasColours = false
        private var document: [UInt8]?

        init(format: LogFormat?) { given = format }

        mutating func take(_ piece: Bytes, _ collector: inout TrafficCollector) throws {
            if found == nil, rest.isEmpty, waiting.isEmpty, let given {
                switch given {
                case .document, .prometheus: try begin(given, &collector)
                case .pattern, .named: break
                }
            }
            if document != nil { return try takeDocument(piece) }
            var start = 0
            while let end = piece.first(0x0a, from: start) {
                try line(ended: piece[part: start..<end], &collector)
                start = end + 1
                if document != nil {
                    return try takeDocument(piece[part: start..<piece.count])
                }
            }
            try keepRest(piece[part: start..<piece.count], &collector)
        }

        private mutating func keepRest(
            _ part: Bytes, _ collector: inout TrafficCollector
        ) throws {
            guard !isSkipping else { return }
            rest += part
            // Before the format is known, a file may be one document on one line.
            guard rest.count > (found == nil ? LogReader.documentMax : LogReader.lineMax) else {
                return
            }
            rest = []
            isSkipping = true
            collector.noteTooLong()
        }

        private mutating func line(
            ended part: Bytes, _ collector: inout TrafficCollector
        ) throws {
            if isSkipping {
                isSkipping = false
                return
            }
            guard !rest.isEmpty else { return try whole(part, &collector) }
            rest += part
            let line = rest
            rest = []
            try line.withUnsafeBufferPointer { try whole($0, &collector) }
        }

        private mutating func whole(_ line: Bytes, _ collector: inout TrafficCollector) throws {
            var line = line
            if line.count > 0, line[line.count - 1] == 0x0d {
                line = line[part: 0..<line.count - 1]
            }
            guard let found else {
                // Servers that colour their lines do so in files, too.
                hasColours = hasColours || line.first(0x1b) != nil
                waiting.append(line.withoutColours)
                waitingBytes += line.count
                if waiting.count >= LogDetector.sample || waitingBytes > LogReader.lineMax {
                    try detect(&collector)
                }
                return
            }
            guard line.count > 0, line[0] != 0x23, !isHeader(line) else { return }
            if hasColours, line.first(0x1b) != nil {
                return line.withoutColours.withUnsafeBufferPointer { inside($0, found, &collector) }
            }
            guard pairs != nil else { return inside(line, found, &collector) }
            pairs?.joined(Array(line))?.withUnsafeBufferPointer { inside($0, found, &collector) }
        }

        /// Takes a line out of its envelope.
        private func inside(
            _ line: Bytes, _ found: LogFormat, _ collector: inout TrafficCollector
        ) {
            guard let envelope else {
                take(line, time: nil, found, &collector)
                return
            }
            guard let content = envelope.content(of: Array(line)) else {
                collector.noteLine()
                return collector.noteBroken(line)
            }
            content.line.withUnsafeBufferPointer { inner in
                content.time.withUnsafeBufferPointer {
                    take(inner, time: $0, found, &collector)
                }
            }
        }

        /// True for the line with the columns' names.
        private func isHeader(_ line: Bytes) -> Bool {
            if case .named(let format)? = found { format.isHeader(line) } else { false }
        }

        /// Takes a line without its envelope, which may tell the time when the line does not.
        private func take(
            _ line: Bytes, time: Bytes?, _ format: LogFormat, _ collector: inout TrafficCollector
        ) {
            guard !format.passesOver(line) else { return }
            collector.noteLine()
            var raw = RawRequest()
            guard line.count <= LogReader.lineMax, format.read(line, &raw) else {
                if case .named(let named) = format, named.isOther(line) {
                    return collector.noteOther()
                }
                return collector.noteBroken(line)
            }
            if raw.time < 0, let time, !time.isEmpty {
                _ = LogField.time.read(time, into: &raw)
            }
            if !collector.take(raw) { collector.noteBroken(line) }
        }

        private mutating func detect(_ collector: inout TrafficCollector) throws {
            let kept = waiting
            (waiting, waitingBytes) = ([], 0)
            pairs = RequestPairs.areIn(kept) ? RequestPairs() : nil
            var joining = pairs
            let lines = kept.compactMap { joining == nil ? $0 : joining?.joined($0) }
            envelope = LogEnvelope.around(lines)
            let inner = envelope.map { envelope in lines.compactMap { envelope.content(of: $0) } }
            let hasTime = inner?.contains { !$0.time.isEmpty } ?? false
            let sample = inner?.map(\.line) ?? lines
            let format =
                try given?.settled(by: sample, hasTime: hasTime)
                ?? detected(lines, within: sample, hasTime: hasTime)
            try begin(format, &collector)
            if document != nil {
                document = Array(lines.joined(separator: [0x0a])) + [0x0a]
                return
            }
            for line in kept {
                try line.withUnsafeBufferPointer { try whole($0, &collector) }
            }
        }

        private func detected(
            _ lines: [[UInt8]], within sample: [[UInt8]], hasTime: Bool
        ) throws -> LogFormat {
            do {
                return try LogDetector.format(of: sample, hasTime: hasTime)
            } catch let problem as LogProblem {
                guard envelope == .object else { throw problem }
                // The messages within the objects are no requests: the fields say what is there.
                _ = try LogDetector.format(of: lines)
                throw problem
            }
        }

        private mutating func begin(
            _ format: LogFormat, _ collector: inout TrafficCollector
        ) throws {
            found = format
            collector.note(format: format.name, unit: format.unit)
            switch format {
            case .document, .prometheus: document = []
            case .pattern, .named: break
            }
        }

        private mutating func takeDocument(_ piece: Bytes) throws {
            document?.append(contentsOf: piece)
            guard document?.count ?? 0 <= LogReader.documentMax else {
                throw LogProblem(
                    "it is one document of more than 64 MiB; give spans one line each, or an"
                        + " access log")
            }
        }

        mutating func finish(_ collector: inout TrafficCollector) throws {
            if !rest.isEmpty {
                let line = rest
                rest = []
                try line.withUnsafeBufferPointer { try whole($0, &collector) }
            }
            if found == nil { try detect(&collector) }
            guard let document, let found else { return }
            if case .prometheus = found {
                collector.add(HistogramTimes.all(in: document))
            } else {
                try DocumentFormat.read(document, &collector)
            }
        }
    }
}

/// The user asked to stop reading.
public struct StoppedReading: Error {}
