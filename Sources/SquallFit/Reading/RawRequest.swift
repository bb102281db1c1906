/// The fields of one line, valid while the line is in memory.
struct RawRequest {
    /// The time of the request or, if that is unknown, of the response, in nanoseconds since 1970.
    var time: Int64 { isBeginning ? beginning.time : end.time }
    /// True for a time in whole seconds.
    var isWholeSecond: Bool { isBeginning ? beginning.isWhole : end.isWhole }
    /// True if the time is that of the request; of two times the finer one counts.
    var isBeginning: Bool {
        beginning.time >= 0 && (end.time < 0 || !beginning.isWhole || end.isWhole)
    }
    var beginning: Moment = (-1, false)
    var end: Moment = (-1, false)
    /// The server's time for the request, in nanoseconds; -1 if the line does not say.
    var duration: Int64 = -1
    /// True if the duration had its unit beside it.
    var hasUnit = false
    var method = Bytes(start: nil, count: 0)
    /// True for a log without methods: all requests are taken for reading ones.
    var isGET = false
    /// Path and query, or an absolute address.
    var target = Bytes(start: nil, count: 0)
    var query = Bytes(start: nil, count: 0)
    var agent = Bytes(start: nil, count: 0)
    /// True for a target that is already a template, such as a route.
    var isTemplate = false
    var status: Int64 = 0
    var bytes: Int64 = -1
    var requestBytes: Int64 = -1
    /// The user's name and the address of the request: a line may tell both.
    var user = Sender()
    var address = Sender()
    /// A hash of the best of the two.
    var person: UInt64 {
        get { user.hash != 0 ? user.hash : address.hash }
        set { user = Sender(hash: newValue, evidence: .user) }
    }

    /// A hash of a sender, and its kind.
    struct Sender {
        var hash: UInt64 = 0
        var evidence = PersonEvidence.none
    }

    /// A time; `isWhole` for whole seconds.
    typealias Moment = (time: Int64, isWhole: Bool)

    /// Takes the time between beginning and end for the duration that the line does not tell.
    mutating func measure() {
        guard duration < 0, beginning.time >= 0, !beginning.isWhole, !end.isWhole,
            end.time >= beginning.time
        else { return }
        duration = end.time - beginning.time
    }

    /// Takes a text that identifies the user, unless a better one of its kind was taken before.
    mutating func tell(_ text: Bytes, _ evidence: PersonEvidence) {
        let place = evidence >= .token ? \RawRequest.user : \RawRequest.address
        guard evidence > self[keyPath: place].evidence else { return }
        let own = evidence.identity(in: text)
        guard own.count > 0 else { return }
        self[keyPath: place] = Sender(hash: own.hash, evidence: evidence)
    }

    /// Takes `GET /path HTTP/1.1`, or a path alone, which some servers call the request.
    mutating func take(requestLine text: Bytes) {
        guard let space = text.first(0x20) else {
            if text.first == 0x2f { target = text }
            return
        }
        method = text[part: 0..<space]
        var end = text.count
        while end > space + 1, text[end - 1] != 0x20 { end -= 1 }
        target =
            end > space + 1
            ? text[part: space + 1..<end - 1] : text[part: space + 1..<text.count]
    }
}

/// The evidence that tells users apart, from the weakest to the best.
enum PersonEvidence: Int, Comparable, CaseIterable, Sendable {
    case none, address, forwarded, token, user

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The part of a field that identifies a user; none if it says that no user is known.
    func identity(in text: Bytes) -> Bytes {
        let nothing = text[part: 0..<0]
        switch self {
        case .none: return nothing
        case .user, .token: return Self.isNobody(text) ? nothing : text
        case .forwarded:
            // Each proxy adds the address that it saw; the first one is the client's.
            let first = text.trimmed(to: text.first(0x2c) ?? text.count)
            return first.equals("unknown") ? nothing : Self.address(first)
        case .address: return Self.address(text)
        }
    }

    private static func isNobody(_ text: Bytes) -> Bool {
        guard text.count < 12 else { return false }
        let words: [StaticString] = [
            "-", "null", "nil", "none", "undefined", "anonymous", "anon", "guest", "\"\"", "0",
        ]
        let small = text.small
        return small.isEmpty
            || small.withUnsafeBufferPointer { text in words.contains { text.equals($0) } }
    }

    /// An address without its port, which is another one for each connection, and without a
    /// logger's name that was printed before it.
    private static func address(_ text: Bytes) -> Bytes {
        guard text.count > 0, !text.equals("-"), !text.equals("unix:") else {
            return text[part: 0..<0]
        }
        if text[0] == 0x5b { return text[part: 1..<(text.first(0x5d) ?? text.count)] }
        let bare = text.bareAddress
        guard bare.count == text.count else { return address(bare) }
        guard let colon = text.first(0x3a) else { return text }
        if text.first(0x3a, from: colon + 1) == nil { return text[part: 0..<colon] }
        // A group of an address of IPv6 has at most four digits; more are a port without brackets.
        var end = text.count
        while end > 0, text[end - 1] != 0x3a { end -= 1 }
        let last = text[part: end..<text.count]
        return last.count == 5 && last.wholeNumber != nil
            || isMapped(text) && last.count > 0
                && last.first(0x2e) == nil
            ? text[part: 0..<end - 1] : text
    }

    /// True for an address of IPv4 in one of IPv6, with a port behind it.
    private static func isMapped(_ text: Bytes) -> Bool { text.first(0x2e) != nil }
}

/// The meaning of a field of a log.
enum LogField: Hashable {
    case skipped, time, date, clock, request, method, target, path, query, agent
    case template, status, bytes, requestBytes
    case person(PersonEvidence)
    /// A duration with the power of ten that makes nanoseconds of it.
    case duration(power: Int)
    /// A duration of which the name does not tell the unit; servers that write such lines use the
    /// custom one.
    case bareDuration(custom: Int?)
    /// One of several durations to be added up.
    case durationPart(power: Int)
    case beginning
    /// The time from ``beginning`` to the request, as on a connection that was kept.
    case wait(power: Int)
    /// No field, but the end of a line's fixed text.
    case literal

    /// Reads a field into a request; false if the text does not fit.
    func read(_ text: Bytes, into raw: inout RawRequest) -> Bool {
        switch self {
        case .skipped, .date, .clock, .literal: break
        case .person(let evidence):
            // Of a list each address has a comma behind it; words before one are no part of it.
            if evidence == .address, let space = text.first(0x20), space > 0,
                text[space - 1] != 0x2c, space + 1 < text.count
            {
                return false
            }
            raw.tell(text, evidence)
        case .time, .beginning: return readTime(text, &raw)
        case .request: raw.take(requestLine: text)
        case .method: raw.method = text
        case .target, .path: raw.target = text
        case .template:
            raw.target = text
            raw.isTemplate = true
        case .query: if !text.equals("-") { raw.query = text }
        case .agent: raw.agent = text
        case .status:
            guard let status = text.wholeNumber, status < 1_000 else { return text.equals("-") }
            raw.status = status
        case .bytes: raw.bytes = text.wholeNumber ?? -1
        case .requestBytes: raw.requestBytes = text.wholeNumber ?? -1
        case .duration(let power):
            raw.duration = DurationText.nanoseconds(text, power: power) ?? -1
        case .bareDuration:
            // A number too large for the trial is too long in any unit.
            let isNumber = DurationText.nanoseconds(text, power: 0) != nil
            raw.duration =
                DurationText.nanoseconds(text, power: DurationUnit.trial)
                ?? (isNumber ? 900_000_000_000_000_000 : -1)
            raw.hasUnit = DurationText.hasUnit(text)
        case .durationPart(let power):
            guard let part = text.decimal(timesTenTo: power) else { break }
            raw.duration = max(0, raw.duration) + part
        case .wait(let power):
            guard let wait = text.decimal(timesTenTo: power), raw.beginning.time >= 0 else { break }
            raw.beginning.time += wait
        }
        return true
    }

    private func readTime(_ text: Bytes, _ raw: inout RawRequest) -> Bool {
        guard let time = LogTime.nanoseconds(text) else { return false }
        let moment = (time: time, isWhole: LogTime.isWholeSeconds(text))
        // Of two times the finer one counts.
        if case .beginning = self {
            if raw.beginning.time < 0 || !moment.isWhole { raw.beginning = moment }
        } else if raw.end.time < 0 || !moment.isWhole {
            raw.end = moment
        }
        return true
    }
}
