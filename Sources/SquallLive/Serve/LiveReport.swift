import SquallBackend
public import SquallFormat
import SquallKernel
import SquallRaces
import SquallReport

/// What came of serving, so far or at the end.
public struct LiveReport: Sendable {
    let name: String
    let summary: LiveSummary
    let tally: LiveTally
    let findings: [LiveFinding]
    let verdicts: [LiveVerdict]
    /// Users with an expired token that was not renewed by the end.
    let openExpiries: Int
    /// Access tokens of a real server that calls showed after an expiry, and that no response was
    /// seen to bring.
    let strangers: Int
    let faults: [String]
    /// An account that can sign in; `nil` for a real server.
    private let account: (email: String, password: String)?
    /// The drills, played or not.
    let drills: [LiveDrillCell]
    let atNanoseconds: Int64
    /// False for a session under way; what came behind another one's last event is not known.
    public let isWhole: Bool
    /// Tells what happened from anything else that may have.
    let digest: String
    /// The command that ran beside the server, each time it was started.
    public var commands: [CommandRun] = []
    /// What came of stepped time, where it was no real time.
    var stepped: SteppedTime.Report?
    /// What each thread waits for, where nothing would ever have happened.
    var standstill: SteppedTime.Standstill?
    /// The schedules that were played, of which this is the one to look at; empty for one alone.
    public var schedules: [LiveSchedule] = []
    /// How long it took in real time.
    public var realNanoseconds: Int64?

    /// Lateness from which on a server does not keep up, in nanoseconds of real time.
    private static let lateNanoseconds: Int64 = 100_000_000

    private static let findingsNote =
        "Users are numbered in the order of their sign-ins. T0 and R0 are the access and refresh"
        + " token of a user's sign-in, T1 and R1 those of the first refresh."
    /// The number of findings that are shown with their timelines; the others have theirs in the
    /// JSON.
    private static let timelines = 5

    init(of world: LiveWorld, isWhole: Bool = true) {
        self.isWhole = isWhole
        let rewriting = world.paths.rewriting
        (name, drills) = (world.name, world.drills.cells.map { $0.rewritten(rewriting) })
        var tally = world.tally
        tally.rename(world.paths.shown)
        self.tally = tally
        summary = world.judge.summary
        findings = world.judge.findings.map { $0.rewritten(rewriting) }
        verdicts = world.judge.verdicts.map { $0.rewritten(rewriting) }
        openExpiries = world.judge.openExpiries
        strangers = world.upstream?.tokens.strangers ?? 0
        faults = world.backend.begunFaults.map(\.name)
        account = world.account
        atNanoseconds = world.simulation.now.nanoseconds
        digest = world.tally.digest.value.hexadecimal
    }

    /// The number of requests that came.
    public var requests: Int64 { Int64(summary.requests) }

    /// True if it could not judge what it was asked for: drills, or a command that called nothing.
    public var isNotJudged: Bool {
        passes == nil && (!drills.isEmpty || !commands.isEmpty && summary.requests == 0)
    }

    /// True if every promise was kept that was put to the test, and the command passed; `nil` where
    /// nothing was put to the test, or where an expiry was seen and no refresh was.
    public var passes: Bool? {
        guard commands.allSatisfy(\.passes), standstill == nil else { return false }
        guard findings.isEmpty, drills.allSatisfy(\.findings.isEmpty) else { return false }
        guard drills.isEmpty else {
            let isSeen = drills.allSatisfy { $0.passes || $0.isBeyondServer || $0.isArguable }
            return isSeen && drills.contains(where: \.passes) ? true : nil
        }
        guard openExpiries == 0, summary.tokenless < LiveSummary.tokenlessMin,
            summary.misplaced + summary.refusedLate == 0,
            summary.expiries == 0 || isRefreshTested
        else { return nil }
        return verdicts.contains { $0.outcome == .kept } ? true : nil
    }

    private var isRefreshTested: Bool {
        verdicts.contains { $0.promise.id == "S1" && $0.outcome != .notObserved }
    }

    /// The report for people.
    public var document: AnswerDocument {
        var document = AnswerDocument(kind: "Serve", subject: name, sentence: sentence)
        document.isBrief = true
        // Without drills nothing was asked for: a server that no app has used has no verdict.
        document.verdict =
            !isWhole && passes != false
            ? .partial : isNotJudged ? .notJudged : Verdict(passes)
        document.remarks += [isWhole ? nil : Self.cutOff, stoppage, warning, away].compactMap(
            \.self)
        document.remarks += [misplaced].compactMap(\.self) + (stepped?.notVirtual ?? [])
        document.remarks += [leftExpired, nothingEnded].compactMap(\.self)
        document.remarks += verdicts.compactMap { verdict in
            guard case .notJudged(let why) = verdict.outcome else { return nil }
            return "Not judged, \(verdict.promise.id) \(verdict.promise.name): \(why)."
        }
        document.facts = summary.requests > 0 ? facts : timeFacts
        document.sections = [
            Section("Schedules", [.points(schedules.filter { $0.passes == false }.map(\.point))]),
            Section("Command", [.points(commands.filter { !$0.passes }.map(\.point))]),
            Section(standstill?.sentence.sentenceCase ?? "", [.points(waits)]),
            Section(liveDrills: drills),
            Section(
                "Findings",
                shownFindings + (findings.isEmpty ? [] : [.sentence(Self.findingsNote)])),
            Section("Requests", [.table(callTable), .sentence(hiddenWords)]),
        ]
        // Where nothing was tested, a list of all that was not says no more.
        guard !tested.isEmpty else { return document }
        document.sections += [
            Section("Promises", [.points(promises)]),
            Section(
                "Not judged, because requests do not show it",
                note: "squall drill judges these from inside an app.",
                [.points(LiveJudge.unjudgedPromises.map { Point(head: "\($0.id) \($0.claim)") })]),
        ]
        document.briefSections =
            document.sections.dropLast(2) + [
                Section("Promises", tested.map { .points([$0]) } + [open])
            ]
        return document
    }

    /// The findings, each timeline below the first one that it tells of.
    private var shownFindings: [Block] {
        var shown: Set<String> = []
        var left = Self.timelines
        return findings.flatMap { finding in
            let lines = Set(finding.timeline.map { "\(finding.user) \($0)" })
            let isNew = left > 0 && !lines.isSubset(of: shown)
            if isNew { left -= 1 }
            shown.formUnion(lines)
            return finding.blocks(showsTimeline: isNew)
        }
    }

    var sentence: String {
        let broken = schedules.filter { $0.passes == false }
        guard broken.isEmpty else {
            return "\(broken.count) of \(Units.counted(schedules.count, "schedule")) failed;"
                + " with seed \(broken[0].seed): \(sentenceOfOne)"
        }
        let all = Units.counted(schedules.count, "schedule")
        return (schedules.isEmpty ? "" : "\(all) passed; the last: ") + sentenceOfOne
    }

    private var sentenceOfOne: String {
        if let standstill { return judged(and: "after that \(standstill.sentence)") }
        let failed = commands.filter { !$0.passes }
        guard let first = failed.first else { return judged }
        let others = failed.count - 1
        return judged(
            and: "the command \(first.outcome)"
                + (others > 0 ? ", and failed \(Units.counted(others, "more time"))" : ""))
    }

    /// What was judged, which may be several sentences, and what came then.
    private func judged(and more: String) -> String {
        judged.hasSuffix(".") ? "\(judged) \(more.sentenceCase)." : "\(judged); \(more)"
    }

    private var judged: String {
        guard drills.isEmpty else { return drilled }
        guard summary.requests > 0 else {
            return "no request arrived, so nothing was judged"
                + (commands.isEmpty ? "" : "; the server's address is in SQUALL_URL")
        }
        let kept = verdicts.count { $0.outcome == .kept }
        let tested = kept + verdicts.count(where: \.isBroken)
        guard tested > 0 else { return "\(extent); nothing was judged. \(untested)" }
        let rest = verdicts.count - tested
        return "\(extent); \(tested - kept) of \(Units.counted(tested, "tested promise")) broken"
            + (rest > 0 ? ", \(rest) not tested" : "")
    }

    /// A sentence on the number of requests, and on how many of them users sent who have got
    /// tokens.
    private var extent: String {
        let users = Units.counted(summary.users, "user")
        let requests = Units.counted(summary.requests, "request")
        let own = summary.requestsOfUsers
        guard own < summary.requests else { return "\(requests) by \(users)" }
        return requests + (own > 0 ? ", \(Units.grouped(Int64(own))) of them by \(users)" : "")
    }

    /// Advice while it is served, where no request does what an app's would.
    var hint: String? {
        if let misplaced { return misplaced }
        guard summary.requests >= Self.hintRequests, summary.signIns + summary.users == 0,
            tally.endpoints.values.allSatisfy({ $0.statuses.keys.allSatisfy { $0 >= 400 } })
        else { return nil }
        return untested
    }

    /// The advice where calls show tokens of this server at another place than it looks at.
    private var misplaced: String? {
        guard summary.misplaced > 0 else { return nil }
        return
            "\(Units.counted(summary.misplaced, "call")) with a token of this server as"
            + " \(summary.misplacedAs) got 401 or 403: it looks for tokens elsewhere. If a real"
            + " server takes them so, name the place in backend.service.token."
    }

    /// So many requests without one that succeeds are no chance.
    static let hintRequests = 10

    /// The reason for which no promise was put to the test, and what to do.
    private var untested: String {
        guard summary.signIns + summary.refreshes == 0, summary.users == 0 else {
            return "No token expired, and no call failed; try --expire-every 30s."
        }
        let all = tally.endpoints.values.reduce(into: [Int: Int]()) { all, row in
            all.merge(row.statuses, uniquingKeysWith: +)
        }
        let most = all.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
        let refused = most.map { status, count in
            " \(count) of \(Units.counted(Int64(all.values.reduce(0, +)), "response")) had the"
                + " status \(status)."
        }
        let missing = tally.missingFields.ordered { $0.key < $1.key }.map { field, count in
            " \(count) of \(Units.counted(Int64(summary.requests), "request")) lacked the header"
                + " field \(field), which the service needs."
        }
        return "No request carried a token that was issued here, and no sign-in succeeded."
            + "\(refused ?? "")\(missing.joined()) \(advice)"
    }

    private var advice: String {
        guard let account else {
            return "If sign-ins or tokens were not found, name them: --sign-in-path,"
                + " --refresh-path, --token-header."
        }
        if let basePath = tally.basePath {
            return "The calls are under \(basePath): the client's base URL has to end with it."
        }
        return "\(account.email) can sign in with \(account.password), and others numbered alike;"
            + " without a command, squall serve prints curl commands to compare with."
    }

    /// The sentence on the drills.
    private var drilled: String {
        let broken = drills.count { !$0.findings.isEmpty }
        let kept = drills.count(where: \.passes)
        return "\(Units.counted(drills.count, "drill")): \(broken) broken, \(kept) kept,"
            + " \(drills.count - broken - kept) not played or not judged"
    }

    private static let cutOff =
        "The session was cut off before its end: what came then was not judged."

    /// The sentence on requests that were not served.
    private var away: String? {
        let refused = Int64(tally.refused)
        let turned = Int64(tally.turnedAway)
        guard refused + turned > 0 else { return nil }
        return [
            refused > 0
                ? "\(Units.counted(refused, "request")) of other sites or for another host got 403."
                : nil,
            turned > 0
                ? "\(Units.counted(turned, "request")) beyond the server's limits got 503." : nil,
        ].compactMap(\.self).joined(separator: " ")
    }

    /// The warning where the server was too slow for its requests.
    private var warning: String? {
        let late = tally.lateness.value(atPercentile: 99)
        guard late > Self.lateNanoseconds else { return nil }
        return "The server could not keep up: 1 % of its events began more than"
            + " \(Units.approximate(nanoseconds: late)) late. Durations are longer than planned."
    }

    private var stoppage: String? {
        guard tally.standstill > 0 else { return nil }
        return
            "The server stood still for \(Units.approximate(nanoseconds: tally.standstill)): it was"
            + " stopped, or the machine suspended. What its clients did about that was not judged."
    }

    private var facts: [(name: String, value: String)] {
        let lateness = [50.0, 99, 100].map {
            Units.approximate(nanoseconds: tally.lateness.value(atPercentile: $0))
        }
        return timeFacts + [
            ("requests", Units.grouped(requests)), ("users", Units.grouped(Int64(summary.users))),
            ("expiries", Units.grouped(Int64(summary.expiries))),
            ("refreshes", Units.grouped(Int64(summary.refreshes))),
            ("redundant refreshes", Units.grouped(Int64(summary.redundantRefreshes))),
            ("requests without a response", Units.grouped(Int64(summary.unanswered))),
            ("delay of the server's own events (p50, p99, max)", lateness.joined(separator: ", ")),
            ("active faults", faults.isEmpty ? "none" : faults.joined(separator: ", ")),
        ]
    }

    private var promises: [Point] { verdicts.map(\.point) }

    /// The promises that were put to the test.
    private var tested: [Point] { verdicts.filter { $0.whyOpen == nil }.map(\.point) }

    /// The names of the others.
    private var open: Block {
        let names = verdicts.filter { $0.whyOpen != nil }.map(\.promise.id)
        return .sentence(names.isEmpty ? "" : "Not tested: \(names.joined(separator: ", ")).")
    }

    private var callTable: Table {
        let rows = tally.endpoints.sorted { $0.key < $1.key }
        return Table(
            rows.map { name, row in
                let statuses = row.statuses.sorted { $0.key < $1.key }.map { status, count in
                    "\(status == 0 ? "none" : "\(status)") × \(count)"
                }
                return [
                    Column("endpoint", .words, "A call of the service.")(name),
                    Column("requests", .count, "How many came.")(Int64(row.count)),
                ]
                    + Percentile.first.map { $0.column($0(LatencySummary(row.duration))) }
                    + [
                        Column("statuses", .sentence, "How many responses had each status.")(
                            statuses.joined(separator: ", "))
                    ]
            })
    }
}

extension LiveReport {
    /// The report as JSON.
    public var json: JSON {
        [
            "profile": .string(name), "verdict": .string(document.verdict?.words ?? ""),
            "seconds": .number(Double(atNanoseconds) / 1e9),
            "digest": .string(digest),
            "requests": .integer(requests), "users": .integer(Int64(summary.users)),
            "signIns": .integer(Int64(summary.signIns)),
            "expiries": .integer(Int64(summary.expiries)),
            "refreshes": .integer(Int64(summary.refreshes)),
            "redundantRefreshes": .integer(Int64(summary.redundantRefreshes)),
            "openExpiries": .integer(Int64(openExpiries)),
            "refreshLoops": .integer(Int64(summary.loops)),
            "unansweredRequests": .integer(Int64(summary.unanswered)),
            "refusedRequests": .integer(Int64(tally.refused)),
            "requestsTurnedAway": .integer(Int64(tally.turnedAway)),
            "latenessSeconds": [
                "p50": .number(Double(tally.lateness.value(atPercentile: 50)) / 1e9),
                "p99": .number(Double(tally.lateness.value(atPercentile: 99)) / 1e9),
                "max": .number(Double(tally.lateness.maximum) / 1e9),
            ],
            "faults": .array(faults.map(JSON.string)),
            "drills": .array(drills.map(\.json)),
            "commands": .array(commands.map(\.json)),
            "schedules": .array(schedules.map(\.json)),
            "virtualTime": .optional(stepped) { $0.json(standstill: standstill) },
            "endpoints": .object(tally.endpoints.mapValues(\.json)),
            "findings": .array(findings.map(\.json)),
            "promises": .object(
                Dictionary(uniqueKeysWithValues: verdicts.map { ($0.promise.id, $0.json) })),
            "notJudged": .array(LiveJudge.unjudgedPromises.map { .string($0.id) }),
        ]
    }

    /// The report as JUnit's XML: a case for each promise.
    public var junit: String {
        let cases =
            verdicts.map { verdict in
                let own = findings.filter { $0.promise == verdict.promise }
                return JUnitSuite.Case(
                    "serve", "\(verdict.promise.id) \(verdict.promise.claim)",
                    failures: own.map { ($0.sentence, $0.timeline.joined(separator: "\n")) },
                    skipped: verdict.whyOpen)
            }
            + LiveJudge.unjudgedPromises.map {
                JUnitSuite.Case("serve", "\($0.id) \($0.claim)", skipped: "requests do not show it")
            }
        return JUnitSuite.document([
            JUnitSuite(
                "serve \(name)",
                cases + drills.map(\.junitCase) + commands.map(\.junitCase))
        ])
    }
}
