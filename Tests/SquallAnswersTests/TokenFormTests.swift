@testable import SquallAnswers
@testable import SquallLab
import SquallFormat
import SquallRaces
import TestSupport
import Testing

/// Every form of token, every way to treat a refresh token, every design: what breaks follows from
/// the rules of the design, and where tokens stand changes nothing.
@Suite("Forms of tokens in many orders")
struct TokenFormTests {
    /// Where a refresh token stands, as a profile says it.
    static let forms = [
        ("header", #""token": { "header": { "name": "Renewal" } }"#),
        ("last word", #""token": { "header": { "name": "Renewal", "scheme": "Token" } }"#),
        ("cookie", #""token": { "cookie": "renewal" }"#),
        ("query", #""token": { "query": "renewal" }"#),
        ("path", #""token": { "path": "renewal" }, "path": "/renewals/{renewal}""#),
        ("JSON body", #""token": { "body": "renewal" }"#),
        ("form body", #""token": { "form": "renewal" }"#),
    ]

    static let semantics = [
        "coexist", "early409", "rotatingStrict", "rotatingWithLeeway", "rotatingWithReplay",
        "oneShot",
    ]

    /// A design by its rules.
    struct Design: Sendable, CustomTestStringConvertible {
        let name: String
        let setting: String
        /// Whether calls that find the token expired at once each refresh.
        let refreshesEach: Bool
        /// Whether a refusal of a token that was replaced refreshes once more.
        let refreshesLate: Bool

        var testDescription: String { name }
    }

    static let designs = [
        Design(
            name: "naive", setting: #"{ "singleFlight": false, "refreshesLate": true }"#,
            refreshesEach: true, refreshesLate: true),
        Design(
            name: "flag only", setting: #"{ "singleFlight": false, "refreshesLate": false }"#,
            refreshesEach: true, refreshesLate: false),
        Design(
            name: "no second look", setting: #"{ "singleFlight": true, "refreshesLate": true }"#,
            refreshesEach: false, refreshesLate: true),
        Design(name: "right", setting: "{}", refreshesEach: false, refreshesLate: false),
        Design(
            name: "clock", setting: #"{ "notices": ["clock"], "singleFlight": false }"#,
            refreshesEach: true, refreshesLate: false),
    ]

    /// A message takes 40 ms and a server 5 ms: a refusal comes after 85 ms, and so does a refresh.
    ///
    /// No call waits for a connection. Where the server may refuse a refresh as early, it is shown
    /// the access token, too.
    private static func profile(
        _ form: String, _ semantics: String, _ design: String, calls: Int
    ) throws -> Profile {
        let act = #"{ "user": 0, "at": "0s", "do": "step", "what": "visit.home" }"#
        let showsAccess = semantics == "early409"
        let acts = Array(repeating: act, count: calls).joined(separator: ", ")
        return try Profile.read(
            Array(
                """
                { "schemaVersion": 1, "duration": "1m",
                  "populations": [{ "app": "mine", "users": 1, "journeys": { "visit": 1 },
                    "initialTokens": "expired" }],
                  "apps": [{ "name": "mine", "tokens": \(design),
                    "screens": [{ "name": "home", "calls": [["profile"]] }],
                    "journeys": [{ "name": "visit", "steps": ["home"] }] }],
                  "backend": {
                    "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h",
                      "refresh": "\(semantics)" },
                    "network": { "up": "40ms", "down": "40ms", "connectionsPerHost": 16 },
                    "server": { "workers": 32, "serviceTime": "5ms" },
                    "service": { "form": "bearer",
                      "refresh": { \(form), "showsAccess": \(showsAccess) },
                      "endpoints": [{ "name": "profile", "path": "/me" }] } },
                  "explore": { "acts": [\(acts)] } }
                """.utf8), file: "forms", vocabulary: .installed)
    }

    /// How many of some schedules break each invariant.
    private static func broken(
        _ form: String, _ semantics: String, _ design: Design, calls: Int, schedules: Int,
        window: Int64
    ) throws -> [String: Int] {
        let profile = try profile(form, semantics, design.setting, calls: calls)
        let plan = ExplorationPlan.small(
            schedules, window: window, findingsMax: 1_000, shrinking: 0)
        let exploration = try Explorer(plan).explore(try RaceScenario(profile, source: nil))
        #expect(exploration.verdict != .notJudged, "\(exploration.headline)")
        return exploration.findings.reduce(into: [:]) { counts, finding in
            counts[finding.violation.invariant, default: 0] += finding.count
        }
    }

    /// How many schedules break each invariant with any form; each breaks as many as the first.
    ///
    /// Of more than two calls only the forms that differ most are played; of two calls all forms
    /// in the first schedules, and one form in those that a rare order takes.
    private static func everywhere(
        _ semantics: String, _ design: Design, calls: Int, schedules: Int, window: Int64
    ) throws -> [String: Int] {
        func counts(_ form: String, _ schedules: Int) throws -> [String: Int] {
            try broken(
                form, semantics, design, calls: calls, schedules: schedules, window: window)
        }
        let shared = calls == 2 ? min(schedules, 4) : schedules
        let first = try counts(forms[0].1, shared)
        for (name, form) in calls == 2 ? forms.dropFirst() : forms[4...4] {
            #expect(try counts(form, shared) == first, "\(name)")
        }
        return shared == schedules ? first : try counts(forms[0].1, schedules)
    }

    /// Calls, and how many of their schedules are played in the narrow and in the wide window.
    private static let plays = [(calls: 2, narrow: 3, wide: 16), (3, 2, 6), (7, 1, 2)]

    private static let isRotating: Set = [
        "rotatingStrict", "rotatingWithLeeway", "rotatingWithReplay", "oneShot",
    ]

    @Test(
        "Where nothing overtakes a trip, each schedule breaks what the design's rules say, or none",
        arguments: semantics, designs)
    func narrow(semantics: String, design: Design) throws {
        // Every call has found the token expired before a refresh can end: 85 ms are more than the
        // few hops of a call can be late together, 2 ms each.
        for (calls, schedules, _) in Self.plays {
            let counts = try Self.everywhere(
                semantics, design, calls: calls, schedules: schedules, window: 2_000_000)
            let isBroken = design.refreshesEach
            #expect(counts["S1", default: 0] == (isBroken ? schedules : 0))
            #expect(counts["S4"] == nil)
            #expect((counts["S8"] != nil) == (isBroken && Self.isRotating.contains(semantics)))
            // All show the token that has expired: to the server none of them comes early.
            #expect(counts["S15"] == nil)
            if !isBroken { #expect(counts.isEmpty, "\(counts)") }
        }
    }

    @Test(
        "Where a refusal may come later than a refresh, late ones break who looks no second time",
        arguments: semantics, designs)
    func wide(semantics: String, design: Design) throws {
        var all: [String: Int] = [:]
        for (calls, _, schedules) in Self.plays {
            let counts = try Self.everywhere(
                semantics, design, calls: calls, schedules: schedules, window: 200_000_000)
            all.merge(counts, uniquingKeysWith: +)
        }
        #expect((all["S1"] != nil) == design.refreshesEach)
        // Flags are looked at before a task begins that takes the pair that is there by then.
        if design.name != "flag only" {
            #expect((all["S4"] != nil) == design.refreshesLate)
        }
        // A late refusal has the new token refreshed, which the server still accepts.
        if design.refreshesLate { #expect((all["S15"] != nil) == (semantics == "early409")) }
        #expect(
            (all["S8"] != nil) == (design.refreshesEach && Self.isRotating.contains(semantics)))
        if !design.refreshesEach, !design.refreshesLate { #expect(all.isEmpty, "\(all)") }
    }

    @Test(
        "The table of designs and an exploration agree on who refreshes too often",
        arguments: designs)
    func agrees(design: Design) throws {
        let profile = try Self.profile(Self.forms[5].1, "coexist", design.setting, calls: 2)
        let app = try #require(profile.declaredApps.first)
        let table = try DesignTable(of: app, in: DesignPlace(profile))
        func answer(_ experiment: String) throws -> String {
            try #require(table.rows.first { $0.question.title.contains(experiment) }?.answers.first)
        }
        let atOnce = try answer("1 / 2 / 8 calls")
        #expect(atOnce.hasPrefix(design.refreshesEach ? "1 / 2" : "1 / 1"), "\(atOnce)")
        // Who looks at the clock has refreshed before any answer could be late.
        let late = try answer("one response late")
        let isTwice = design.refreshesLate || design.name == "clock"
        #expect(late.hasPrefix("2") == isTwice, "\(late)")
    }
}
