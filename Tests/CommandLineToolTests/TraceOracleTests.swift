import SquallFit
import SquallFormat
import SquallLab
import SquallReport
import TestSupport
import Testing

/// Recounts what a run says from `trace.json` of all of its users, by definitions of its own.
@Suite("Every count, recounted from the trace")
struct TraceOracleTests {
    @Test("Counts and rates are those of the trace", arguments: TracedProfile.allCases)
    func recounted(experiment: TracedProfile) throws {
        let (trace, summary, series) = try experiment.run()
        #expect(trace.dropped == 0)
        let oracle = TraceOracle(trace.events, summary)
        #expect(oracle.attempts.count > 300, "hardly anything happened")
        expectOwnEvents(of: experiment, in: oracle.counts)
        for (name, counted) in oracle.counts.sorted(by: { $0.key < $1.key }) {
            #expect((summary.figure(name) ?? 0) == Double(counted), "\(name)")
        }
        for (name, counted) in oracle.rates.sorted(by: { $0.key < $1.key }) {
            let said = summary.figure(name) ?? 0
            #expect((said - counted).magnitude <= 1e-9 * max(1, counted), "\(name)")
        }
        for (column, counted) in oracle.columns.sorted(by: { $0.key < $1.key }) {
            #expect(series.sum(of: column, from: summary) == counted, "\(column)")
        }
    }

    /// What each profile shows that the others lack.
    private func expectOwnEvents(of experiment: TracedProfile, in counts: [String: Int64]) {
        let names =
            switch experiment {
            case .closed: ["refreshes_redundant", "refreshes_per_expiry.whole"]
            case .openEndsEarly: ["retries"]
            case .faultsNearTheEnd: ["neverEnded", "hangs"]
            case .poolsWithDatabase: ["requests"]
            case .own401: ["expired_responses"]
            }
        for name in names { #expect((counts[name] ?? 0) > 0, "\(name) did not happen") }
    }
}

/// Profiles of different kinds.
enum TracedProfile: String, CaseIterable {
    case closed, openEndsEarly, faultsNearTheEnd, poolsWithDatabase, own401

    func run() throws -> (trace: TraceFile, summary: JSONNode, series: SeriesFile) {
        var profile = try Profile.read(
            Array(text.utf8), file: rawValue, vocabulary: .installed)
        if self == .own401 { profile = profile.scaled(toUsers: 50) }
        let apps = Set(profile.populations.map(\.app)).sorted().map { "app:\($0)" }
        let options = LoadRun.Options(
            replayCommand: "", trace: TraceSelection(apps.joined(separator: ",")))
        let output = try LoadRun(profile: profile, named: rawValue, options: options)
            .run { _ in .continue }.output
        func written(_ file: String) -> String {
            OutputFormat.builtIn.first { $0.file == file }?.text(output) ?? ""
        }
        return (
            TraceFile(try JSONParser.parse(Array(written("trace.json").utf8))),
            try JSONParser.parse(Array(written("summary.json").utf8)),
            SeriesFile(written("timeseries.csv"))
        )
    }

    private var text: String {
        switch self {
        case .closed:
            profile(
                """
                "duration": "3m", "warmUp": {"for": "45s"},
                "populations": [
                  {"name": "built", "app": "scrolly", "users": 15, "journeys": {"resume": 1},
                   "thinkTime": {"exponential": {"mean": "1s"}}, "away": "5s",
                   "arriveOver": "5s"},
                  {"name": "right", "app": "scrolly", "design": "reference", "users": 15,
                   "journeys": {"resume": 1},
                   "thinkTime": {"exponential": {"mean": "1s"}}, "away": "5s",
                   "arriveOver": "5s"}],
                "backend": {"tokens": {"accessLifetime": "20s"}}
                """)
        case .openEndsEarly:
            profile(
                """
                "duration": "4m",
                "populations": [{
                  "name": "people", "app": "shareD", "retries": "naive", "users": 40,
                  "journeys": {"settings": 1}, "patience": "30s",
                  "thinkTime": {"exponential": {"mean": "1s"}},
                  "load": {"open": {"stages": [{"constant": {"rate": 6, "for": "50s"}}]}}}],
                "backend": {"network": {"timeout": "4s", "requestLossProbability": 0.02}}
                """)
        case .faultsNearTheEnd:
            profile(
                """
                "duration": "90s",
                "populations": [
                  {"name": "people", "app": "scrolly", "users": 20, "journeys": {"resume": 1},
                   "thinkTime": {"exponential": {"mean": "1s"}}, "arriveOver": "1s",
                   "patience": "2m"}],
                "backend": {"network": {"timeout": "10m"}, "faults": [
                  {"kind": "expireAllTokens", "at": "80s"},
                  {"kind": "dropAnswer", "at": "82s", "for": "8s", "probability": 0.5}]}
                """)
        case .poolsWithDatabase:
            profile(
                """
                "duration": "2m", "warmUp": {"for": "20s"},
                "populations": [
                  {"name": "people", "app": "scrolly", "users": 40, "journeys": {"read": 1},
                   "thinkTime": {"exponential": {"mean": "2s"}}, "arriveOver": "5s"}],
                "backend": {"tokens": {"accessLifetime": "30s"}, "server": {
                  "workers": 4, "serviceTime": {"exponential": {"mean": "60ms"}},
                  "pools": [{"name": "lists", "endpoints": ["posts"], "workers": 2}],
                  "database": {"connections": 3, "queryTime": {"exponential": {"mean": "10ms"}}}}}
                """)
        case .own401: ProfileDraft.example.text(for: "own.json")
        }
    }

    private func profile(_ settings: String) -> String { #"{"schemaVersion": 1, \#(settings)}"# }
}

/// The events of a `trace.json`.
struct TraceFile {
    let events: [JSONNode]
    let dropped: Double

    init(_ node: JSONNode) {
        events = node["traceEvents"]?.list ?? []
        dropped = node.at("otherData.droppedEvents")?.number ?? -1
    }
}

/// The columns of a `timeseries.csv`.
struct SeriesFile {
    private var columns: [String: [Int64]] = [:]

    init(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        for (index, name) in (lines.first ?? []).enumerated() {
            columns[name] = lines.dropFirst().compactMap { Int64($0[index]) }
        }
    }

    /// A column's sum over the rows that begin where measuring does, or later.
    func sum(of column: String, from summary: JSONNode) -> Int64? {
        let from = Int64(summary["measuredFromNs"]?.number ?? 0)
        guard let values = columns[column], let times = columns["time_ns"] else { return nil }
        return zip(times, values).filter { $0.0 >= from }.reduce(0) { $0 + $1.1 }
    }
}

extension JSONNode {
    /// A number of a summary: `requests`, `requests.rate`, `load.steps.begun` summed up.
    fileprivate func figure(_ name: String) -> Double? {
        switch name {
        case "neverEnded":
            return self["metrics"]?.list.filter { series in
                series["name"]?.string == "requests"
                    && series.at("tags.status")?.string == "neverEnded"
            }.reduce(0) { $0 + ($1.count ?? 0) }
        case "first":
            return self["metrics"]?.list.filter { series in
                series["name"]?.string == "requests"
                    && series.at("tags.cause")?.string == "first"
            }.reduce(0) { $0 + ($1.count ?? 0) }
        case "refreshes_redundant": return sum("populations", "counts.redundantRefreshes")
        case "expiries": return sum("populations", "counts.expiries")
        case "steps.begun", "steps.underWayBefore": return sum("load", name)
        default: break
        }
        let parts = name.split(separator: ".").map(String.init)
        let total = self["metrics"]?.list.first { series in
            series["name"]?.string == parts[0] && (series["tags"]?.members.isEmpty ?? true)
        }
        switch parts.dropFirst().first {
        case nil: return total?.count
        case let last?: return total?["values"]?[last]?.number
        }
    }

    private var count: Double? { self["count"]?.number ?? at("values.count")?.number }

    private func sum(_ list: String, _ way: String) -> Double? {
        self[list]?.list.reduce(0) { $0 + ($1.at(way)?.number ?? .nan) }
    }
}

/// What a trace comes to.
private struct TraceOracle {
    /// One sending of a call.
    struct Attempt {
        let user, request, ordinal: Int64
        let isRefresh: Bool
        /// Whether a call of this user that was refused made the app refresh.
        var isPrompted = false
        let endpoint, outcome: String
        let begin, end: Int64
    }

    let attempts: [Attempt]
    /// From name to what the trace says.
    private(set) var counts: [String: Int64] = [:]
    private(set) var rates: [String: Double] = [:]
    private(set) var columns: [String: Int64] = [:]

    init(_ events: [JSONNode], _ summary: JSONNode) {
        let from = Int64(summary["measuredFromNs"]?.number ?? 0)
        let until = Int64(summary["measuredUntilNs"]?.number ?? 0)
        let seconds = Double(until - from) / 1e9
        let expired = Set(summary["expiredStatuses"]?.list.compactMap(\.string) ?? [])
        let all = Self.attempts(events)
        attempts = all
        // What was sent at the very end of the warm-up belongs to it.
        let measured = all.filter { $0.begin > from || from == 0 }
        let plain = measured.filter { !$0.isRefresh }
        let underLoad = { (attempts: [Attempt]) in attempts.count { $0.begin <= until } }
        counts["requests"] = Int64(measured.count)
        counts["neverEnded"] = Int64(measured.count { $0.outcome == "neverEnded" })
        counts["request_failed.whole"] = Int64(measured.count { $0.outcome != "neverEnded" })
        counts["first"] = Int64(plain.count { $0.ordinal == 0 })
        counts["retries"] = Int64(plain.count { $0.ordinal > 0 })
        counts["refreshes"] = Int64(measured.count(where: \.isRefresh))
        counts["logical_requests"] = Int64(measured.count { $0.ordinal == 0 })
        counts["expired_responses"] = Int64(measured.count { expired.contains($0.outcome) })
        rates["requests.rate"] = Double(underLoad(measured)) / seconds
        rates["retries.rate"] = Double(underLoad(plain.filter { $0.ordinal > 0 })) / seconds
        rates["refreshes.rate"] = Double(underLoad(measured.filter(\.isRefresh))) / seconds
        columns["requests"] = counts["requests"]
        columns["first_attempts"] = counts["first"]
        columns["retries"] = counts["retries"]
        columns["refreshes"] = counts["refreshes"]
        countExpiries(expired, from)
        countSteps(events, from, until)
    }

    private mutating func countSteps(_ events: [JSONNode], _ from: Int64, _ until: Int64) {
        var (done, idle, hung, begun, before, load) = (
            Int64(0), Int64(0), Int64(0), Int64(0), Int64(0), 0
        )
        for step in events where step["cat"]?.string == "step" {
            let (start, end) = Self.span(of: step)
            let began = start + Int64(step.at("args.delayNs")?.number ?? 0)
            // What happens at the moment that measuring begins belongs to the warm-up.
            if began > from || from == 0 { begun += 1 } else if end > from { before += 1 }
            guard end > from || from == 0 else { continue }
            switch step.at("args.outcome")?.string {
            case "under way at the end": break
            case "never ended": hung += 1
            case "nothingToDo": idle += 1
            default:
                done += 1
                if end <= until { load += 1 }
            }
        }
        counts["steps"] = done
        counts["steps_idle"] = idle
        counts["hangs"] = hung
        counts["steps.begun"] = begun
        counts["steps.underWayBefore"] = before
        rates["steps.rate"] = Double(load) / (Double(until - from) / 1e9)
        columns["steps"] = done
        columns["steps_idle"] = idle
        columns["hangs"] = hung
    }

    /// A token lasts from one renewal to the next.
    ///
    /// It has an expiry if a call that was sent while
    /// the phone had it was answered "expired" before the next one came, and what was sent for one
    /// counts for it. A refresh is redundant if, between its sending and its end, another one
    /// brought a token or failed, or if only refusals of older tokens had asked for it.
    private mutating func countExpiries(_ expired: Set<String>, _ from: Int64) {
        var (redundant, prompted, expiries) = (Int64(0), Int64(0), Int64(0))
        for (_, own) in Dictionary(grouping: attempts, by: \.user) {
            let ended = own.sorted { ($0.end, $0.begin) < ($1.end, $1.begin) }
            let renewals = ended.filter { $0.isRenewal }.map(\.end)
            func token(at moment: Int64) -> Int { renewals.count { $0 <= moment } }
            let refusals = ended.filter { !$0.isRefresh && expired.contains($0.outcome) }
            let timely = refusals.filter { token(at: $0.begin) == token(at: $0.end) }
            var counted: Set<Int> = []
            for refusal in timely where refusal.begin > from || from == 0 {
                counted.insert(token(at: refusal.begin))
            }
            for refresh in ended where refresh.isRefresh && refresh.ordinal == 0 {
                let place = token(at: refresh.begin)
                let others = ended.filter { other in
                    other.isRefresh && other.request != refresh.request && other.end < refresh.end
                        && other.end > refresh.begin && token(at: other.begin) == place
                }
                let isSpent = renewals.contains { $0 > refresh.begin && $0 < refresh.end }
                let isNoticed = timely.contains {
                    token(at: $0.begin) == place && $0.end <= refresh.end
                }
                let wasRefused = refusals.contains { $0.end <= refresh.begin }
                let isAgain = isSpent || !others.filter { $0.ordinal == 0 }.isEmpty
                let isLate = !isAgain && !isNoticed && refresh.isPrompted && wasRefused
                guard isAgain || isNoticed || isLate else { continue }
                guard refresh.begin > from || from == 0 else { continue }
                prompted += 1
                if isAgain || isLate { redundant += 1 }
                if !isAgain, !isLate { counted.insert(place) }
            }
            expiries += Int64(counted.count)
        }
        counts["expiries"] = expiries
        counts["refreshes_redundant"] = redundant
        counts["refreshes_per_expiry.part"] = prompted
        counts["refreshes_per_expiry.whole"] = expiries
    }

    private static func span(of event: JSONNode) -> (Int64, Int64) {
        let begin = ((event["ts"]?.number ?? 0) * 1_000).rounded()
        let length = ((event["dur"]?.number ?? 0) * 1_000).rounded()
        return (Int64(begin), Int64(begin + length))
    }

    /// Attempts lie within the event of their request, in the order of the file.
    private static func attempts(_ events: [JSONNode]) -> [Attempt] {
        var request: (number: Int64, name: String, isRefresh: Bool) = (0, "", false)
        var prompted: Set<[Int64]> = []
        var found: [Attempt] = []
        for event in events {
            let user = Int64(event["pid"]?.number ?? -1)
            let category = event["cat"]?.string
            if category == "request" || category == "refresh" {
                request = (
                    Int64(event.at("args.request")?.number ?? -1), event["name"]?.string ?? "",
                    category == "refresh"
                )
            } else if category == "attempt" {
                let words = (event["name"]?.string ?? "").split(separator: " ")
                let ordinal = words.count > 1 ? Int64(words[1].dropLast()) ?? -1 : -1
                let (begin, end) = span(of: event)
                found.append(
                    Attempt(
                        user: user, request: request.number, ordinal: ordinal,
                        isRefresh: request.isRefresh, endpoint: request.name,
                        outcome: event.at("args.outcome")?.string ?? "", begin: begin, end: end))
            } else if category == "cause", event["ph"]?.string == "f" {
                prompted.insert([user, Int64(event["id"]?.number ?? 0) & 0xffff_ffff])
            }
        }
        for index in found.indices
        where prompted.contains([found[index].user, found[index].request]) {
            found[index].isPrompted = true
        }
        return found
    }
}

extension TraceOracle.Attempt {
    /// Whether it brought the phone a token.
    fileprivate var isRenewal: Bool {
        (isRefresh || endpoint.lowercased().contains("signin") || endpoint == "login")
            && outcome.hasPrefix("2")
    }
}
