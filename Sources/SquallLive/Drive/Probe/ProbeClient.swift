import SquallFormat
import SquallHTTP
import SquallSockets

/// The reasons to ask no more.
enum ProbeEnd: Error, Equatable {
    case stopped
    case outOfRequests
    case outOfTime
    /// The service cannot be reached, or does not do what everything else rests on.
    case failed(String)
}

/// A call as it is asked, with the words that evidence has for it.
struct ProbeCall {
    let words: String
    let request: OutgoingRequest
}

struct ProbeExchange {
    let words: String
    /// `nil` without a response.
    let status: Int?
    let headers: HTTPHeaders
    let body: [UInt8]
    /// The reason for which there is no response.
    let problem: String
    let began, ended: Int64

    var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    var isLimited: Bool { status == 429 || status == 503 && headers["Retry-After"] != nil }
    /// True where the service failed, which tells nothing of its rules.
    var isFailure: Bool { status.map { $0 >= 500 && !isLimited } ?? true }
    /// True where the service says no, as opposed to failing or wanting fewer calls.
    var isRefusal: Bool { status.map { (300..<500).contains($0) } == true && !isLimited }
}

/// Asks a service one thing after another, within limits, on the thread that calls it.
///
/// It waits by its ``Wire``, so a test's service moves its clock instead of sleeping.
final class ProbeClient {
    private let wire: any Wire
    private let target: DriveTarget
    private let limits: ProbeLimits
    private let clock: () -> Int64
    private let isStopped: () -> Bool
    private let told: (_ elapsed: Int64, _ requests: Int64) -> Void
    let startedAt: Int64
    private(set) var sent: Int64 = 0
    /// The first response that wanted fewer calls, and how many requests came before it.
    private(set) var limited: (exchange: ProbeExchange, after: Int64)?
    /// The first failure of the service, and the number of all.
    private(set) var failed: (evidence: String, count: Int)?
    private var free = Int64.min
    /// The times of the newest requests, as many as one second may have.
    private var newest: [Int64] = []
    /// The time between two requests: longer from each response on that wants fewer.
    private var gap: Int64
    /// What no evidence shows, each with what stands for it.
    private var hidden: [(text: String, name: String)] = []
    private var names: [String: String] = [:]
    private var counts: [Character: Int] = [:]

    private static let responseNanoseconds: Int64 = 15_000_000_000
    private static let sleepNanoseconds: Int64 = 100_000_000
    private static let limitedAttempts = 8
    /// The number of times that a call is asked while its service fails.
    static let attempts = 3
    private static let (limitedGap, longestGap): (Int64, Int64) = (50_000_000, 1_000_000_000)

    init(
        _ wire: any Wire, _ target: DriveTarget, _ limits: ProbeLimits,
        clock: @escaping () -> Int64,
        isStopped: @escaping () -> Bool, told: @escaping (Int64, Int64) -> Void
    ) {
        (self.wire, self.target, self.limits, self.clock) = (wire, target, limits, clock)
        (self.isStopped, self.told) = (isStopped, told)
        startedAt = clock()
        gap = 1_000_000_000 / limits.requestsPerSecond
    }

    var now: Int64 { clock() }
    var isUnreachable: Bool { wire.made == 0 }
    var deadline: Int64 { startedAt + limits.nanoseconds }

    /// The name of a token in evidence: a letter and a number.
    func name(_ token: String, _ letter: Character) -> String {
        if let name = names[token] { return name }
        counts[letter, default: 0] += 1
        let name = "\(letter)\(counts[letter, default: 0])"
        names[token] = name
        hide(token, as: name)
        return name
    }

    /// Keeps a text out of all evidence.
    func hide(_ text: String, as name: String) {
        guard text.utf8.count > 2 else { return }
        hidden.append((text, name))
    }

    /// A text of the service for people, without secrets.
    func shown(_ text: String, _ length: Int = 100) -> String {
        let plain = hidden.reduce(String(text.prefix(4_000))) { text, secret in
            text.replacing(secret.text, with: secret.name)
        }
        return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ").excerpt(length)
    }

    /// The service's response in a few words.
    func answer(_ exchange: ProbeExchange) -> String {
        guard let status = exchange.status else { return "no response (\(exchange.problem))" }
        guard !exchange.isSuccess else { return "\(status)" }
        let body = shown(String(decoding: exchange.body.prefix(4_000), as: UTF8.self))
        let place = exchange.headers["Location"].map { " to \(shown($0, 60))" } ?? ""
        return "\(status)\(place)\(body.isEmpty ? ", no body" : " \(body)")"
    }

    /// The call and its response as evidence.
    func evidence(_ exchange: ProbeExchange) -> String {
        "\(exchange.words) → \(answer(exchange))"
    }

    /// Asks, and asks again later where the service wants fewer calls, or where it fails and being
    /// asked twice changes nothing.
    func ask(_ call: ProbeCall, repeats: Bool = false) throws(ProbeEnd) -> ProbeExchange {
        var exchange = try askPatiently(call)
        for _ in 1..<Self.attempts where repeats && exchange.isFailure {
            exchange = try askPatiently(call)
        }
        return exchange
    }

    private func askPatiently(_ call: ProbeCall) throws(ProbeEnd) -> ProbeExchange {
        var attempts = 1
        var exchange = try ask(together: [call])[0]
        while exchange.isLimited, attempts < Self.limitedAttempts {
            attempts += 1
            let told = exchange.headers["Retry-After"].flatMap(Int64.init)
            // Who says when to come again may limit this call alone.
            if told == nil { gap = min(2 * max(gap, Self.limitedGap), Self.longestGap) }
            try wait(until: now + min(max(told ?? 1, 0), 3_600) * 1_000_000_000)
            exchange = try ask(together: [call])[0]
        }
        return exchange
    }

    /// Asks all of them at once.
    func ask(together calls: [ProbeCall]) throws(ProbeEnd) -> [ProbeExchange] {
        guard sent + Int64(calls.count) <= limits.requests else { throw .outOfRequests }
        // All of them are sent when the last of them would be.
        let due = free == .min ? free : free + gap * Int64(calls.count - 1)
        try wait(until: max(due, moment(for: calls.count)))
        let began = now
        free = began + gap
        sent += Int64(calls.count)
        newest.append(contentsOf: repeatElement(began, count: calls.count))
        newest.removeFirst(max(0, newest.count - Int(limits.requestsPerSecond)))
        var results = [ProbeExchange?](repeating: nil, count: calls.count)
        let drops = calls.indices.map { index in
            wire.begin(
                target.outgoing(calls[index].request), connectionsOf: UInt64(index), at: began
            ) { [self] result in
                results[index] = ProbeExchange(calls[index].words, result, began, now)
            }
        }
        while results.contains(where: { $0 == nil }) {
            guard now - began < Self.responseNanoseconds else { break }
            guard !isStopped() else {
                for drop in drops { drop() }
                throw .stopped
            }
            wire.wait(nanoseconds: Self.sleepNanoseconds)
            wire.enter(at: now)
        }
        let ended = zip(zip(calls, drops), results).map { pair, result -> ProbeExchange in
            if let result { return result }
            pair.1()
            return ProbeExchange(
                pair.0.words, .failure(WireProblem(code: .timedOut, text: "timed out")), began, now)
        }
        if wire.made == 0, let problem = ended.first?.problem { throw .failed(problem) }
        for exchange in ended where exchange.isFailure {
            failed = (failed?.evidence ?? evidence(exchange), (failed?.count ?? 0) + 1)
        }
        if limited == nil, let first = ended.first(where: \.isLimited) {
            limited = (first, sent - Int64(calls.count))
        }
        return ended
    }

    /// From when on so many can be sent together, so that no second has more than allowed.
    private func moment(for count: Int) -> Int64 {
        let excess = newest.count + count - Int(limits.requestsPerSecond)
        guard excess > 0, !newest.isEmpty else { return .min }
        return newest[min(excess, newest.count) - 1] + 1_000_000_000
    }

    func wait(until moment: Int64) throws(ProbeEnd) {
        guard moment <= deadline else { throw .outOfTime }
        repeat {
            guard !isStopped() else { throw .stopped }
            guard now <= deadline else { throw .outOfTime }
            told(now - startedAt, sent)
            guard now < moment else { return }
            wire.wait(nanoseconds: min(moment - now, Self.sleepNanoseconds))
            wire.enter(at: now)
        } while true
    }
}

extension ProbeExchange {
    fileprivate init(
        _ words: String, _ result: Result<WireResponse, WireProblem>, _ began: Int64,
        _ ended: Int64
    ) {
        (self.words, self.began, self.ended) = (words, began, ended)
        switch result {
        case .success(let response):
            (status, headers) = (response.status, response.headers)
            (body, problem) = (response.body, "")
        case .failure(let error):
            (status, headers, body) = (nil, [], [])
            problem = error.text.isEmpty ? "\(error.code)" : error.text
        }
    }
}
