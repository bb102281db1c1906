/// The format of the lines of a log.
enum LogFormat {
    case pattern(PatternFormat)
    case named(NamedFormat)
    /// One JSON document: HAR, or spans.
    case document
    /// A Prometheus exposition: histograms of service times.
    case prometheus

    /// The format that `--format` names or describes.
    ///
    /// - Throws: the fault of the text.
    init(named text: String) throws {
        switch text {
        case "json": self = .named(NamedFormat())
        case "logfmt": self = .named(NamedFormat(.words))
        case "har", "otlp", "jaeger": self = .document
        case "prometheus": self = .prometheus
        default:
            if let known = try KnownFormat.lines(text) {
                self = .pattern(known)
            } else if text.hasPrefix("json ") || text.hasPrefix("logfmt ") {
                let shape: NamedFormat.Shape = text.hasPrefix("json ") ? .json : .words
                self = .named(NamedFormat(shape, NamedFields(try Self.names(text))))
            } else {
                guard text.contains("$") || text.contains("%") else {
                    throw LogProblem(
                        "the format must be one of \(KnownFormat.words.joined(separator: ", ")),"
                            + " or as in nginx' log_format (combined unless one is set) or Apache's"
                            + " LogFormat, got '\(text)'")
                }
                self = .pattern(try PatternFormat(text))
            }
        }
    }

    /// `json time=ts duration=took:ms user=uid`.
    private static func names(_ text: String) throws -> [(name: String, field: LogField)] {
        try text.split(separator: " ").dropFirst().map { word in
            let halves = word.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let field = field(String(halves[0]), String(halves[1])) else {
                throw LogProblem(
                    "'\(word)' in the format must be one of time, begin, method, path, route,"
                        + " query, status, bytes, user, forwarded, address or duration with the"
                        + " name that the log has, as duration=took:ms")
            }
            return (String(halves[1].split(separator: ":")[0]), field)
        }
    }

    private static func field(_ meaning: String, _ name: String) -> LogField? {
        guard meaning != "duration" else {
            let powers: [Substring?: Int] = ["ns": 0, "us": 3, "ms": 6, "s": 9, nil: 6]
            return powers[name.split(separator: ":").dropFirst().first].map { .duration(power: $0) }
        }
        let fields: [String: LogField] = [
            "time": .time, "begin": .beginning, "method": .method, "path": .target,
            "route": .template, "query": .query, "status": .status, "bytes": .bytes,
            "user": .person(.user), "forwarded": .person(.forwarded), "address": .person(.address),
        ]
        return fields[meaning]
    }

    /// The format's name, for the answer.
    var name: String {
        switch self {
        case .pattern(let format): format.text
        case .named(let format): format.name
        case .document: "one JSON document"
        case .prometheus: "Prometheus histograms"
        }
    }

    /// The unit of its durations, where it has any that the log's lines had to tell.
    var unit: DurationUnit? {
        switch self {
        case .pattern(let format): format.unit
        case .named(let format): format.unit
        case .document, .prometheus: nil
        }
    }

    /// True for a line that is none of a request.
    func passesOver(_ line: Bytes) -> Bool {
        guard case .named(let format) = self else { return false }
        return format.passesOver(line)
    }

    /// Reads a line; false if it has another form.
    func read(_ line: Bytes, _ raw: inout RawRequest) -> Bool {
        switch self {
        case .pattern(let format): format.read(line, &raw)
        case .named(let format): format.read(line, &raw)
        case .document, .prometheus: false
        }
    }

    /// The format with the meanings that the first lines show of its fields.
    ///
    /// - Throws: the field that is missing.
    func settled(by lines: [[UInt8]], hasTime: Bool) throws -> LogFormat {
        switch self {
        case .pattern(let format): .pattern(format.settled(by: lines))
        case .named(let format): .named(try format.settled(by: lines, hasTime: hasTime))
        case .document, .prometheus: self
        }
    }
}
