import Foundation
import SquallFormat

/// All that a log tells about an app and its backend, as far as a profile can express it.
public struct TrafficFit: Sendable {
    /// The log.
    let log: TrafficLog
    /// The evidence that tells its users apart.
    let sender: SenderEvidence
    /// The tokens in the log.
    let tokens: TokenTraffic
    /// The promises that it shows broken or kept.
    let judgement: LogJudgement
    /// The calls in the profile, as indices in the log's calls; without the calls about tokens.
    let endpoints: [Int]
    let visits: Visits?
    let arrivals: Arrivals
    let server: ServerTimes
    /// Responses that took other times than the successful ones of the same calls.
    let others: [OtherResponses.Kind]
    /// The distribution of the work on a call that is refused for its expired token; nil if that
    /// takes as long as a success, or if too few were refused.
    let refusalLaw: FittedLaw?
    /// The time-outs in the log.
    let timeOuts: [TimeOut]
    /// The distribution of the work on each call, by index; none for calls with few lines.
    let laws: [Int: FittedLaw]
    /// The distribution of the work on all calls together.
    let commonLaw: FittedLaw?
    /// True if users come back again and again; otherwise visits arrive.
    let isClosed: Bool
    let options: Options

    /// Facts that the user knows and the log does not tell.
    public struct Options: Sendable {
        /// The number of requests that the server works on at once.
        var workers: Int?
        /// True if users come back, false if visits arrive; `nil` to decide by the log.
        public var isClosed: Bool?
        /// The interval at which all access tokens were made to expire, in nanoseconds: no age
        /// tells that.
        var expiryInterval: Int64?
        /// The calls about tokens, where they were seen with their tokens.
        public var tokens: SeenTokenCalls?

        /// No facts.
        public init(workers: Int? = nil, isClosed: Bool? = nil, expiryInterval: Int64? = nil) {
            self.workers = workers
            self.isClosed = isClosed
            self.expiryInterval = expiryInterval
        }
    }

    /// The most calls in a profile; further ones are rare.
    static let endpointsMax = 120
    /// Names of the calls for tokens that declared services already have.
    private static let takenByForms: Set<String> = [
        "POST /oauth/token", "POST /oauth/revoke", "POST /v1/users/login", "GET /v1/users/logout",
        "GET /v1/auth/refresh",
    ]
    private static let endpointShareMin = 0.0002
    private static let lawCountMin = 30
    private static let returnsSome = 1.2

    /// Fits a log.
    public init(_ log: TrafficLog, options: Options = Options()) {
        self.options = options
        sender = SenderEvidence(log)
        let people = sender.refusal == nil ? Self.people(log) : []
        // Without users no token is seen to be issued and used: all calls are plain calls.
        var tokens = people.isEmpty ? TokenTraffic() : TokenTraffic(log, people, options)
        judgement = LogJudgement(people, tokens, log)
        var known = log
        known.refreshCall = tokens.refresh
        self.log = known
        let visits =
            people.isEmpty
            ? nil
            : Visits(
                people, tokens,
                Visits.Clock(
                    span: log.reading.span, isExact: !log.reading.isWholeSeconds,
                    hasDurations: log.reading.withDuration > 0, isClosed: options.isClosed,
                    isByAddress: sender.best < .token))
        self.visits = visits
        // Tokens of several users, taken for one's, have other ages than any of them.
        tokens.lifetime = tokens.lifetime?.known(visits?.isOneUser != false)
        if visits?.isOneUser == false { tokens.lifeInUse = nil }
        self.tokens = tokens
        let span = log.reading.span
        arrivals = Arrivals(
            visits?.begins ?? log.begins, since: span.first, from: visits?.seenFrom ?? span.first,
            to: span.last, oneIn: log.sampling.oneIn,
            isExact: visits.map { $0.returns < Self.returnsSome } ?? false)
        let sampling = log.sampling
        let atServer = log.requests.lazy.filter {
            sampling.oneIn == 1 || sampling.keepsTime($0.began)
        }
        let resolution = Self.resolution(log)
        let others = OtherResponses(atServer, calls: log.calls.count)
        var server = ServerTimes(
            atServer.map(others.apart), resolution: resolution,
            isExact: !log.reading.isWholeSeconds, workers: options.workers)
        let (asRefused, asFailed) = Self.parted(others.all, tokens)
        self.others = asFailed.map(\.response)
        let services = server.services
        server.services = [:]
        self.server = server
        refusalLaw = FittedLaw(
            asRefused.flatMap { services[Int32(log.calls.count + $0.place)] ?? [] },
            resolution: resolution, isKnown: server.isWorkKnown)
        timeOuts = TimeOut.all(atServer)
        var laws: [Int: FittedLaw] = [:]
        for (call, times) in services
        where times.count >= Self.lawCountMin && Int(call) < log.calls.count {
            laws[Int(call)] = FittedLaw(
                times, resolution: resolution, further: server.orderVariances[call] ?? 0,
                isKnown: server.isWorkKnown, unknown: server.unknownWait)
        }
        for histogram in log.histograms {
            let matching = log.calls.indices.filter { index in
                Self.isSamePath(log.calls[index].path, histogram.path)
                    && [log.calls[index].method, ""].contains(histogram.method)
            }
            for call in matching { laws[call] = FittedLaw(histogram) }
        }
        self.laws = laws
        commonLaw = FittedLaw(
            server.mixed(services, calls: log.calls.count), resolution: resolution,
            isKnown: server.isWorkKnown, unknown: server.unknownWait)
        isClosed = visits?.kind.isClosed ?? options.isClosed ?? false
        endpoints = Self.endpoints(log, tokens)
    }

    private typealias Placed = (place: Int, response: OtherResponses.Kind)

    /// The refusals of expired tokens, and other responses with times of their own.
    private static func parted(
        _ others: [OtherResponses.Kind], _ tokens: TokenTraffic
    ) -> (refused: [Placed], failed: [Placed]) {
        let all = others.enumerated().map { (place: $0.offset, response: $0.element) }
        func isRefusal(_ one: Placed) -> Bool {
            tokens.guarded.contains(Int32(one.response.call))
                && Int(one.response.status) == tokens.expiredStatus
        }
        return (all.filter(isRefusal), all.filter { !isRefusal($0) })
    }

    /// Each user's requests, in order; none if the log does not tell users apart.
    private static func people(_ log: TrafficLog) -> [ArraySlice<LoggedRequest>] {
        let all = log.requests
        var (people, start, count) = ([ArraySlice<LoggedRequest>](), 0, 0)
        for index in all.indices
        where index + 1 == all.count || all[index + 1].person != all[start].person {
            let own = all[start...index]
            if all[start].person != 0, log.sampling.keepsPerson(all[start].person) {
                people.append(own)
                count += own.count
            }
            start = index + 1
        }
        return count * 10 >= all.count ? people : []
    }

    /// The resolution of the times: milliseconds, unless finer ones are seen.
    private static func resolution(_ log: TrafficLog) -> Int64 {
        let isFine = log.requests.prefix(1_000).contains {
            $0.duration > 0 && $0.duration % 1_000_000 != 0
        }
        return isFine ? 1_000 : 1_000_000
    }

    private static func isSamePath(_ template: String, _ other: String) -> Bool {
        let (own, others) = (template.split(separator: "/"), other.split(separator: "/"))
        return own.count == others.count
            && zip(own, others).allSatisfy { mine, theirs in
                mine == theirs || mine == "{id}" && "{:<".contains(theirs.first ?? "/")
            }
    }

    private static func endpoints(_ log: TrafficLog, _ tokens: TokenTraffic) -> [Int] {
        let least = Double(log.reading.requests) * endpointShareMin
        return log.calls.indices.filter {
            ![tokens.refresh, tokens.logOut].contains($0)
                && ($0 != tokens.logIn || tokens.isSignInPlain && !hasSignIn(log, tokens))
                && !tokens.neverAccepted.contains(Int32($0)) && Double(log.calls[$0].count) >= least
                && log.calls[$0].path.utf8.count <= 200
                && !takenByForms.contains(log.calls[$0].title)
        }.ordered { log.calls[$0].count > log.calls[$1].count }.prefix(endpointsMax).sorted()
    }

    /// The data that are too few for intervals to mean anything; `nil` for none.
    var scarcity: String? {
        let minutes = Double(log.span) / 60e9
        let parts = [
            log.reading.requests < 200 ? Units.counted(log.reading.requests, "request") : nil,
            visits.map { $0.people < 10 ? Units.counted($0.people, "user") : nil } ?? nil,
            isMuchBroken
                ? "\(Units.grouped(Int64(log.reading.broken))) of"
                    + " \(Units.grouped(Int64(log.reading.lines))) lines could not be read" : nil,
            log.reading.withDuration == 0 ? "no durations" : nil,
            log.hasStatuses ? nil : "no statuses",
            log.reading.setBack.isEmpty ? nil : "a clock that was set back",
            minutes < 5 ? "\(Units.threeDigits(minutes)) minutes" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// True if signing in is a separate call.
    var hasSignIn: Bool { Self.hasSignIn(log, tokens) }

    private static func hasSignIn(_ log: TrafficLog, _ tokens: TokenTraffic) -> Bool {
        guard let logIn = tokens.logIn, let refresh = tokens.refresh else {
            return tokens.logIn != nil
        }
        return log.calls[logIn].path != log.calls[refresh].path
    }

    /// True if so many lines are broken that the others may not be all there is.
    private var isMuchBroken: Bool { log.reading.broken * 50 > log.reading.lines }

    /// The reason for which there is nothing to make a profile of; `nil` where there is something.
    public var emptiness: String? {
        guard endpoints.isEmpty else { return nil }
        guard !tokens.neverAccepted.isEmpty else {
            return "no call is one that a profile could have"
        }
        return "every call was refused whatever token it had, as behind a proxy that does not pass"
            + " on Authorization: what calls cost is not known"
    }

    /// The number of workers in the profile; `isKnown` if the log tells it.
    var workers: (count: Int, isKnown: Bool) {
        if let own = options.workers { return (own, true) }
        if let found = server.workers { return (Int(found.value), true) }
        return (max(1, server.assumed ?? server.concurrentMax), false)
    }

    /// True for a call that needs a valid token: as its refusals show, or because no more were to
    /// be expected.
    func needsToken(_ call: Int) -> Bool {
        guard tokens.refresh != nil || !tokens.guarded.isEmpty, call != tokens.logIn else {
            return false
        }
        if tokens.guarded.contains(Int32(call)) { return true }
        let guarded = tokens.guarded.map { log.calls[Int($0)] }
        let count = guarded.reduce(0) { $0 + $1.count }
        guard count > 0, let status = tokens.expiredStatus else { return true }
        let refused = guarded.reduce(0) { $0 + ($1.statuses[Int16(status)] ?? 0) }
        let expected = Double(log.calls[call].count) * Double(refused) / Double(count)
        // With five expected refusals and none seen, the call needs no token.
        return expected < 5
    }
}

extension TrafficLog {
    /// The beginnings of requests; for a sample, spread evenly over each minute, by the counts of
    /// all.
    var begins: [Int64] {
        guard sampling.oneIn > 1 else { return requests.map(\.began) }
        let minute: Int64 = 60_000_000_000
        return minutes.ordered { $0.key < $1.key }.flatMap { place, count in
            let kept = Int64(count) / Int64(sampling.oneIn)
            return (0..<kept).map { place * minute + (2 * $0 + 1) * minute / (2 * kept) }
        }
    }

    /// The number of the log's requests that one of the sample stands for: 1 for a known user in a
    /// stretch of time that is kept completely, otherwise `oneIn` (Horvitz and Thompson, 1952).
    func weight(of request: LoggedRequest) -> Int {
        let isOfWholeStretch = request.person != 0 && sampling.keepsTime(request.began)
        return isOfWholeStretch ? 1 : Int(sampling.oneIn)
    }

    /// The mean number of requests at once, by Little's law, from a moment on.
    func concurrency(from start: Int64? = nil) -> Double {
        let start = start ?? reading.span.first
        let busy = requests.reduce(0) { sum, request in
            request.began < start
                ? sum : sum + Double(weight(of: request)) * Double(max(0, request.duration))
        }
        return busy / Double(max(1_000_000_000, reading.span.last - start))
    }
}
