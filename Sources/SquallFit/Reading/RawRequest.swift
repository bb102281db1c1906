/// The fields of one line, valid while the line is in memory.
struct RawRequest {
    /// Nanoseconds since 1970.
    var time: Int64 = -1
    /// Whether the time is in whole seconds.
    var isWholeSecond = false
    /// Whether the time is that of the request; otherwise it is that of the answer.
    var isBeginning = false
    /// How long the server took, in nanoseconds; -1 if the line does not say.
    var duration: Int64 = -1
    var method = Bytes(start: nil, count: 0)
    /// Path and query, or an absolute address.
    var target = Bytes(start: nil, count: 0)
    var query = Bytes(start: nil, count: 0)
    /// Whether the target is already a template, such as a route.
    var isTemplate = false
    var status: Int64 = 0
    var bytes: Int64 = -1
    var requestBytes: Int64 = -1
    /// A hash of the sender, and how surely it identifies one user: by user, token or address.
    var person: UInt64 = 0
    var personRank = 0

    /// Takes a text that identifies the user, unless a better one was taken before.
    mutating func tell(_ text: Bytes, rank: Int) {
        guard rank > personRank, text.count > 0, !text.equals("-") else { return }
        person = text.hash
        personRank = rank
    }

    /// Takes `GET /path HTTP/1.1`.
    mutating func take(requestLine text: Bytes) {
        guard let space = text.first(0x20) else { return }
        method = text[part: 0..<space]
        var end = text.count
        while end > space + 1, text[end - 1] != 0x20 { end -= 1 }
        target =
            end > space + 1
            ? text[part: space + 1..<end - 1] : text[part: space + 1..<text.count]
    }
}

/// The meaning of a field of a log.
enum LogField: Hashable {
    case skipped, address, user, token, time, date, clock, request, method, target, path, query
    case template, status, bytes, requestBytes
    /// A duration with the power of ten that makes nanoseconds of it.
    case duration(power: Int)
    /// Seconds if there is a decimal point, otherwise milliseconds.
    case secondsOrMilliseconds
    /// One of several durations to be added up.
    case durationPart
    case beginning

    /// Reads a field into a request; false if the text does not fit.
    func read(_ text: Bytes, into raw: inout RawRequest) -> Bool {
        switch self {
        case .skipped, .date, .clock: break
        case .address: raw.tell(text, rank: 1)
        case .user: raw.tell(text, rank: 3)
        case .token: raw.tell(text, rank: 2)
        case .time, .beginning: return readTime(text, &raw)
        case .request: raw.take(requestLine: text)
        case .method: raw.method = text
        case .target, .path: raw.target = text
        case .template:
            raw.target = text
            raw.isTemplate = true
        case .query: if !text.equals("-") { raw.query = text }
        case .status:
            guard let status = text.wholeNumber, status < 1_000 else { return text.equals("-") }
            raw.status = status
        case .bytes: raw.bytes = text.wholeNumber ?? -1
        case .requestBytes: raw.requestBytes = text.wholeNumber ?? -1
        case .duration(let power): raw.duration = text.decimal(timesTenTo: power) ?? -1
        case .secondsOrMilliseconds:
            let power = text.first(0x2e) == nil ? 6 : 9
            raw.duration = text.decimal(timesTenTo: power) ?? -1
        case .durationPart:
            guard let part = text.decimal(timesTenTo: 9) else { break }
            raw.duration = max(0, raw.duration) + part
        }
        return true
    }

    private func readTime(_ text: Bytes, _ raw: inout RawRequest) -> Bool {
        guard let time = LogTime.nanoseconds(text) else { return false }
        let isWhole = LogTime.isWholeSeconds(text)
        // Of two times the finer one counts.
        if raw.time >= 0, isWhole, !raw.isWholeSecond { return true }
        (raw.time, raw.isWholeSecond) = (time, isWhole)
        if case .beginning = self { raw.isBeginning = true }
        return true
    }
}
