import SquallFormat
import SquallHTTP
import SquallJudge

/// The promises about tokens that a log shows kept or broken, and how sure that is.
///
/// A log has no tokens, bodies or keys, so most promises cannot be judged from it; and none where
/// users, the order of events or lines are missing.
struct LogJudgement: Sendable {
    /// A promise, the evidence on it, and how sure it is.
    struct Verdict: Sendable {
        let promise: String
        /// The number of times that it was broken; `nil` where nothing could have broken it.
        let broken: Int?
        let text: String
    }

    private(set) var verdicts: [Verdict] = []
    /// The reason for which nothing is judged; `nil` where something is.
    private(set) var refusal: String?
    /// The promises that no log can show.
    static let never =
        "which token a call shows, who is signed in, what is stored, idempotency keys and lists"

    private static let cutOff: Set<Int16> = [499, 502, 503, 504]
    private static let again: Int64 = 30_000_000_000

    init(_ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic, _ log: TrafficLog) {
        refusal = Self.refusal(people, tokens, log)
        guard refusal == nil else { return }
        let step: Int64 = log.reading.isWholeSeconds ? 1_000_000_000 : 0
        verdicts = [Self.storm(tokens, step), Self.loop(tokens)]
        let users = people.map { LoggedRenewals(of: $0, tokens, step) }
        verdicts += [Self.followUps(users), Self.refusedRefreshes(users)]
        verdicts.append(Self.writes(people, log))
    }

    private static func refusal(
        _ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic, _ log: TrafficLog
    ) -> String? {
        let reading = log.reading
        if people.isEmpty { return "users cannot be told apart" }
        if !log.hasStatuses { return TrafficFit.noStatus }
        if !reading.identity.hasTokenLines { return reading.identity.note }
        if tokens.isOneUser == false { return "several users are taken for one" }
        if tokens.lacksLines { return "lines are missing" }
        if tokens.refresh == nil { return "no call of the log renews a token" }
        if reading.skews.contains(where: { $0.nanoseconds == nil }) {
            return "the clocks of the files may differ"
        }
        let isJumping = reading.unordered > 0 && !reading.areBeginnings && reading.skews.isEmpty
        return isJumping ? "the clock goes back, or lines are out of order" : nil
    }

    private static func storm(_ tokens: TokenTraffic, _ step: Int64) -> Verdict {
        let promise = "one refresh for an expiry"
        guard let storms = tokens.storms else {
            return Verdict(promise: promise, broken: nil, text: "not tested: no token was refused")
        }
        let sure = step == 0 ? "" : ", whatever the order within a second"
        let text =
            "\(Units.counted(storms.count, "expiry")) of \(storms.of) had more than one\(sure)"
        return Verdict(promise: promise, broken: storms.count, text: text)
    }

    private static func loop(_ tokens: TokenTraffic) -> Verdict {
        let promise = "no refresh loop"
        guard let loops = tokens.loops else {
            return Verdict(promise: promise, broken: nil, text: "not tested: no call was refused")
        }
        let count = Int(loops.value)
        let useless =
            tokens.fruitless == 0
            ? ""
            : "; \(Units.counted(tokens.fruitless, "refresh")) for calls that are never accepted"
        return Verdict(
            promise: promise, broken: count + tokens.fruitless,
            text:
                "\(Units.counted(count, "call")) refused and refreshed three times in a row"
                + useless
        )
    }

    /// Users whose token was refused in several calls in turn, and who renewed nothing.
    private static func followUps(_ users: [LoggedRenewals]) -> Verdict {
        let refused = users.count(where: \.isRefused)
        let silent = users.count(where: \.isSilent)
        return Verdict(
            promise: "each expiry is renewed", broken: refused > 0 ? silent : nil,
            text: refused == 0
                ? "not tested: no token was refused that had been good"
                : "\(silent) of \(Units.counted(refused, "user")) with a refused token made"
                    + " three calls or more in turn with it, and renewed nothing")
    }

    /// Refreshes of a user after a refused refresh without a sign-in between.
    private static func refusedRefreshes(_ users: [LoggedRenewals]) -> Verdict {
        let refused = users.reduce(0) { $0 + $1.refused }
        let again = users.reduce(0) { $0 + $1.again }
        return Verdict(
            promise: "no refresh after a refused refresh", broken: refused > 0 ? again : nil,
            text: refused == 0
                ? "not tested: no refresh was refused"
                : "\(Units.counted(again, "refresh")) after \(refused) refused ones, without a"
                    + " sign-in between")
    }

    /// Writes that a user sent again after a response that does not say whether they were done.
    private static func writes(_ people: [ArraySlice<LoggedRequest>], _ log: TrafficLog) -> Verdict
    {
        let calls = Set(log.calls.indices.filter { log.calls[$0].method == "POST" }.map(Int32.init))
        var (cut, again) = (0, 0)
        for person in people {
            for index in person.indices
            where calls.contains(person[index].call) && cutOff.contains(person[index].status) {
                cut += 1
                let one = person[index]
                let next = person[(index + 1)...].first {
                    $0.call == one.call && $0.began >= one.ended
                }
                if let next, next.began - one.ended < Self.again { again += 1 }
            }
        }
        let promise = "no write twice"
        guard cut > 0 else {
            return Verdict(
                promise: promise, broken: nil,
                text: "not tested: no POST was cut off or unavailable")
        }
        return Verdict(
            promise: promise, broken: again,
            text:
                "\(Units.counted(again, "POST")) of \(cut) with 499, 502, 503 or 504"
                + " came again: not"
                + " certain, since a log does not tell if the first was done, nor its key")
    }

    /// The verdicts in lines, and the promises that were not judged.
    var section: Section {
        let rows = verdicts.map { verdict in
            Entry(
                verdict.promise,
                (verdict.broken.map { $0 > 0 ? "BROKEN: " : "kept: " } ?? "") + verdict.text)
        }
        let rest = refusal.map { "all promises: \($0)" } ?? Self.never
        return Section(
            "Promises of the clients", [.entries(rows + [Entry("not judged", rest)])])
    }

    /// The verdicts as data.
    var json: JSON {
        [
            "notJudged": .string(refusal ?? Self.never),
            "promises": .array(
                verdicts.map { verdict in
                    [
                        "promise": .string(verdict.promise),
                        "broken": .optional(verdict.broken) { .integer(Int64($0)) },
                        "text": .string(verdict.text),
                    ]
                }),
        ]
    }
}

/// What a user did about refused tokens; a log does not show which token a call carries.
private struct LoggedRenewals {
    private(set) var (isRefused, isSilent) = (false, false)
    /// The refreshes that were refused, and those that were sent after one.
    private(set) var (refused, again) = (0, 0)
    private static let token = TokenNumber(unknown: 0)
    private var watch = FollowUpWatch()
    private var hasToken = false
    /// When a refresh was refused, until a token comes.
    private var refusedAt: Int64?

    init(of person: ArraySlice<LoggedRequest>, _ tokens: TokenTraffic, _ step: Int64) {
        let patience = FollowUpPatience(stretchedBy: step == 0 ? 1 : 3)
        let moments = person.flatMap { [($0.ended, 0, $0), ($0.began, 1, $0)] }
        for (now, isBegin, request) in moments.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            let isRefresh = Int(request.call) == tokens.refresh
            if isRefresh || Int(request.call) == tokens.logIn {
                if isBegin == 1 { watch.renews() } else { renewed(by: request, isRefresh, step) }
            } else if isBegin == 0, tokens.guarded.contains(request.call),
                !tokens.neverAccepted.contains(request.call)
            {
                called(tokens.isRefused(request), request, patience, at: now)
            }
        }
    }

    private mutating func renewed(by request: LoggedRequest, _ isRefresh: Bool, _ step: Int64) {
        let ending = RenewalEnding(status: request.status)
        watch.renewed(ending, at: request.ended)
        if isRefresh, let end = refusedAt, request.began > end + step { again += 1 }
        switch ending {
        case .succeeded: (hasToken, refusedAt) = (true, nil)
        case .refused where isRefresh:
            refused += refusedAt == nil ? 1 : 0
            refusedAt = refusedAt ?? request.ended
        case .refused, .failed, .lost: break
        }
    }

    private mutating func called(
        _ isExpired: Bool, _ request: LoggedRequest, _ patience: FollowUpPatience, at now: Int64
    ) {
        if (200..<400).contains(request.status) {
            hasToken = true
            watch.accepted(Self.token)
        }
        guard hasToken, isExpired else { return }
        isRefused = true
        let found = watch.refused(
            Self.token, 0, sentAt: request.began, patience: patience, at: now)
        isSilent = isSilent || found != nil
    }
}

extension RenewalEnding {
    /// The end of a renewal, by the status in a log.
    init(status: Int16) {
        self =
            switch status {
            case 200..<400: .succeeded
            case 408, 429, 500...: .failed
            case 400..<500: .refused
            default: .lost
            }
    }
}
