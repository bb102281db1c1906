import SquallFormat
import SquallHTTP

/// What a document states of a token's life: in a value, in the whole response's example, or in
/// words.
struct OpenAPILifetime {
    /// The life; `nil` where none is stated that a profile can have.
    private(set) var nanoseconds: Int64?
    /// True if the number is one of milliseconds.
    private(set) var isInMilliseconds = false
    /// True if the number is a moment, in seconds or milliseconds since 1970.
    private(set) var isMoment = false

    /// Shorter lives are numbers that a document's author or tool put there, such as 0 and 1.
    private static let range = 10 * Span.second...Span.year
    /// No life has so many seconds, and no moment since 2001 has fewer.
    private static let leastMoment = 1e9

    /// Reads what is said of a member with a life, or (`isToken`) of one with a token.
    init(_ name: String, _ schema: OpenAPISchema, _ wholes: [JSONNode], isToken: Bool) {
        let about = schema.text("description") ?? ""
        let isNamed = TokenNames.lifetimesInMilliseconds.contains(TokenNames.word(name))
        isInMilliseconds = isNamed || about.contains(/\b(milliseconds?|millis|ms)\b/.ignoresCase())
        guard !isToken else {
            nanoseconds = Self.agreed(Self.inWords(about).map { ($0.1, $0.2) })
            return
        }
        let first: [JSONNode?] = [schema["const"], schema["example"]]
        let others: [JSONNode] = (schema["examples"]?.elements ?? []) + wholes
        let last: [JSONNode?] = [schema["default"], schema["enum"]?.elements.first]
        let all = first.compactMap(\.self) + others + last.compactMap(\.self)
        guard all.first(where: { take($0) }) == nil else { return }
        nanoseconds = Self.agreed(
            about.matches(of: /([0-9]+) *([a-z]+)/.ignoresCase()).map { ($0.1, $0.2) })
        guard nanoseconds == nil else { return }
        // A number alone; that of a document or of its section is none.
        let numbers = about.matches(of: /[0-9]+/)
        guard numbers.count == 1, let number = Double(numbers[0].0),
            !about.contains(/(rfc|section|§) *[0-9]/.ignoresCase())
        else { return }
        _ = take(number)
    }

    /// What a sentence about tokens says of their lives: of the refresh token's where that is the
    /// token named last before, else of the access token's.
    static func lives(in text: String) -> (access: Int64?, refresh: Int64?) {
        var found: (access: [(Substring, Substring)], refresh: [(Substring, Substring)]) = ([], [])
        for match in inWords(text) {
            let before = text[..<match.0.startIndex].lowercased()
            let refresh = before.ranges(of: "refresh").last?.lowerBound
            let access = before.ranges(of: "access").last?.lowerBound
            if let refresh, access.map({ $0 < refresh }) ?? true {
                found.refresh.append((match.1, match.2))
            } else {
                found.access.append((match.1, match.2))
            }
        }
        return (agreed(found.access), agreed(found.refresh))
    }

    private static func inWords(_ text: String) -> [(Substring, Substring, Substring)] {
        text.matches(
            of: /(?:valid|live|lifetime|ttl|expire)[^0-9.]{0,40}([0-9]+)[ -]*([a-z]+)/.ignoresCase()
        ).map(\.output)
    }

    /// Takes a value; false for one that is no life.
    private mutating func take(_ value: JSONNode) -> Bool {
        switch value.value {
        case .number(let text): return Double(text).map { take($0) } ?? false
        case .string(let text):
            if let number = Double(text) { return take(number) }
            nanoseconds = (try? Units.nanoseconds(text)).flatMap(Self.usable)
            return nanoseconds != nil
        default: return false
        }
    }

    private mutating func take(_ number: Double) -> Bool {
        guard number > 0, number < 1e15 else { return false }
        let milliseconds = isInMilliseconds || Self.looksLikeMilliseconds(number)
        isMoment = number / (milliseconds ? 1_000 : 1) >= Self.leastMoment
        guard !isMoment else { return true }
        let scale = Double(milliseconds ? Span.millisecond : Span.second)
        guard let life = Self.usable(Int64(number * scale)) else { return false }
        (nanoseconds, isInMilliseconds) = (life, milliseconds)
        return true
    }

    /// True for whole minutes in milliseconds that are no whole days in seconds, or more than a
    /// year of them: of a number such as 900000 the unit is not said, but 10.4 days nobody chooses.
    private static func looksLikeMilliseconds(_ number: Double) -> Bool {
        let isRound = number >= 300_000 && number.remainder(dividingBy: 60_000) == 0
        let isOfDays = number.remainder(dividingBy: 86_400) == 0 && number <= 366 * 86_400
        return isRound && !isOfDays
    }

    private static func usable(_ nanoseconds: Int64) -> Int64? {
        range.contains(nanoseconds) ? nanoseconds : nil
    }

    private static let units: [String: Int64] = [
        "ms": Span.millisecond, "millisecond": Span.millisecond, "s": Span.second,
        "sec": Span.second, "second": Span.second, "m": Span.minute, "min": Span.minute,
        "minute": Span.minute, "h": Span.hour, "hr": Span.hour, "hour": Span.hour,
        "d": Span.day, "day": Span.day, "week": 7 * Span.day,
    ]

    /// The life that all numbers with a unit behind them say.
    private static func agreed(_ all: [(number: Substring, unit: Substring)]) -> Int64? {
        let lives = all.compactMap { number, unit -> Int64? in
            let unit = unit.lowercased()
            let known = units[unit] ?? (unit.last == "s" ? units[String(unit.dropLast())] : nil)
            return known.flatMap { span in
                let (life, isTooLong) = (Int64(number) ?? 0).multipliedReportingOverflow(by: span)
                return isTooLong ? 0 : life
            }
        }
        return Set(lives).count == 1 ? lives.first.flatMap(usable) : nil
    }
}
