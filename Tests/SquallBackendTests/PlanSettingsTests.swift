import SquallFormat
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Plans as a profile writes them")
struct PlanSettingsTests {
    private static let endpoints = ["posts", "login"]
    private static let hour = Double(Span.hour)

    /// A plan, and what is wrong with it.
    private static func read<Plan: Sendable>(
        _ text: String, _ make: @escaping @Sendable (inout SettingsReader) -> Plan
    ) throws -> (plan: Plan, problems: [String]) {
        var problems = SettingProblems()
        let node = try JSONParser.parse(Array("{\(text)}".utf8))
        let plan = SettingFormat.section(make).value(of: node, &problems)
        return (plan, problems.all.map { "\($0.label): \($0.message)" })
    }

    private static func tokens(_ text: String) throws -> (plan: TokenPolicy, problems: [String]) {
        try read(text) { TokenPolicy(&$0) }
    }

    private static func server(_ text: String) throws -> (plan: ServerPlan, problems: [String]) {
        try read(text) { ServerPlan(&$0, endpoints: endpoints) }
    }

    @Test(
        "Each rule of refreshing takes the numbers that it needs",
        arguments: [
            ("coexist", .coexist), ("early409", .early409), ("rotatingStrict", .rotatingStrict),
            ("oneShot", .oneShot),
            ("rotatingWithLeeway", .rotatingWithLeeway(windowNanoseconds: 7, generations: 3)),
            ("rotatingWithReplay", .rotatingWithReplay(windowNanoseconds: 7, parentOfActive: true)),
        ] as [(String, RefreshSemantics)])
    func refresh(rule: String, semantics: RefreshSemantics) throws {
        let read = try Self.tokens(
            #""refresh": "\#(rule)", "reuseWindow": "7ns", "reuseGenerations": 3,"#
                + #" "replaysUnusedChild": true, "refreshRevokesAccessTokens": true,"#
                + #" "revocationLag": "5s", "accessLifetime": "2s", "refreshLifetime": "3s","#
                + #" "lifetimeJitter": "2s""#)
        #expect(read.problems.isEmpty && read.plan.refresh == semantics)
        #expect(read.plan.accessLifetimeNanoseconds == 2 * Span.second)
        #expect(read.plan.refreshLifetimeNanoseconds == 3 * Span.second)
        #expect(read.plan.lifetimeJitterNanoseconds == 2 * Span.second)
        #expect(read.plan.revocationLagNanoseconds == 5 * Span.second)
        #expect(read.plan.refreshRevokesAccessTokens && read.plan.keepsFamilies)
    }

    @Test(
        "A policy's settings are read as that policy",
        arguments: [
            #""lifetimeJitter": "9s", "statedLifetime": "1h", "refreshedLifetime": "2m""#,
            #""refresh": "rotatingStrict", "revocationLag": "3s", "reuseRevokesFamily": false"#,
            #""refresh": "rotatingUntilUsed", "reuseEndsSiblings": true"#,
            #""refresh": "rotatingWithReplay", "reuseWindow": "5s", "replaysAccessToken": true"#,
            #""parallelRefreshes": 3, "parallelWindow": "1s", "refreshRevokesAccessTokens": true"#,
        ])
    func settings(text: String) throws {
        let policy = try Self.tokens(text).plan
        let written = policy.settings.map { "\"\($0.key)\": \($0.value.line)" }
        let again = try Self.tokens(written.joined(separator: ", "))
        #expect(again.plan == policy && again.problems.isEmpty, "\(written)")
    }

    @Test("By default tokens coexist and live five minutes and six hours")
    func defaults() throws {
        let plan = try Self.tokens("").plan
        #expect(plan.accessLifetimeNanoseconds == 300 * Span.second && plan.refresh == .coexist)
        #expect(plan.refreshLifetimeNanoseconds == 6 * Span.hour && !plan.keepsFamilies)
        #expect(plan.lifetimeJitterNanoseconds == 0 && plan.revocationLagNanoseconds == 0)
        let leeway = try Self.tokens(#""refresh": "rotatingWithLeeway""#).plan.refresh
        #expect(
            leeway == .rotatingWithLeeway(windowNanoseconds: 10 * Span.second, generations: 1))
    }

    @Test("A token's lifetime cannot be shortened by more than its length")
    func jitter() throws {
        let problems = try Self.tokens(#""accessLifetime": "2s", "lifetimeJitter": "3s""#).problems
        #expect(
            problems == [
                "contradiction: lifetimeJitter must be at most accessLifetime, which is 2s; got 3s"
            ])
        let refreshed = try Self.tokens(#""refreshedLifetime": "2s", "lifetimeJitter": "3s""#)
        #expect(
            refreshed.problems == [
                "contradiction: lifetimeJitter must be at most refreshedLifetime, which is 2s;"
                    + " got 3s"
            ])
        // Of what cannot be read nothing more is said.
        let broken = try Self.tokens(#""accessLifetime": "x", "lifetimeJitter": "10m""#).problems
        #expect(broken.count == 1 && broken[0].hasPrefix("wrongType"))
    }

    @Test(
        "A server setting without an effect is refused with the way out, and others are not",
        arguments: [
            (#""priorities": {"login": 1}"#, "says nothing unless order is \"priority\", got"),
            (#""priorities": {"login": 1}, "order": "priority""#, nil),
            (
                #""late": "leaves""#,
                "late \"leaves\" needs a waitLimit; without one no request is late"
            ),
            (#""late": "leaves", "waitLimit": "1s""#, nil), (#""late": "found""#, nil),
            (
                #""pools": [{"name": "a", "endpoints": ["posts"], "workers": 1},"#
                    + #" {"name": "a", "endpoints": ["login"], "workers": 1}]"#,
                "\"a\" is taken by an earlier pool"
            ),
            (
                #""pools": [{"name": "a", "endpoints": ["posts"], "workers": 1},"#
                    + #" {"name": "b", "endpoints": ["posts"], "workers": 1}]"#,
                "\"posts\" is in the pool \"a\" already"
            ),
            (
                #""pools": [{"name": "a", "endpoints": ["posts"], "workers": 1},"#
                    + #" {"name": "b", "endpoints": ["login"], "workers": 1}]"#, nil
            ),
            (#""workerStages": [{"at": "1s", "workers": 1000001}]"#, "0…1 000 000"),
            (#""workerStages": [{"at": "1s", "workers": 1000000}]"#, nil),
            (#""workers": 0"#, "1…1 000 000"), (#""queueLimit": 100000001"#, "0…100 000 000"),
        ] as [(String, String?)])
    func server(text: String, problem: String?) throws {
        let problems = try Self.server(text).problems
        #expect(problems.count == (problem == nil ? 0 : 1), "\(problems)")
        if let problem { #expect(problems.first?.contains(problem) == true, "\(problems)") }
    }

    @Test(
        "A server's number is read at both ends of its range, and refused beyond them",
        arguments: [
            (#""workers": ?"#, 1, 1_000_000, 1), (#""queueLimit": ?"#, 0, 100_000_000, 1),
            (#""perItem": "?ns""#, 0, hour, 1),
            (#""perScannedRow": "?ns""#, 0, hour, 1),
            (#""waitLimit": "?ns""#, 0, hour, 1),
            (#""retryAfter": "?ns""#, 1e9, hour, 1),
            (#""clockSkew": "?ns""#, 0, 24 * hour, 1),
            (#""userRate": {"perSecond": ?}"#, 0.001, 1_000_000, 0.0001),
            (#""keyRate": {"perSecond": 1, "burst": ?}"#, 1, 1_000_000, 1),
            (#""database": {"connections": ?}"#, 1, 1_000_000, 1),
        ] as [(String, Double, Double, Double)])
    func ranges(setting: String, low: Double, high: Double, step: Double) throws {
        func problems(_ value: Double) throws -> Int {
            let text = value == value.rounded() ? "\(Int64(value))" : "\(value)"
            return try Self.server(setting.replacing("?", with: text)).problems.count
        }
        #expect(try problems(low) == 0 && problems(high) == 0)
        #expect(try problems(low - step) == 1 && problems(high + step) == 1)
    }

    @Test("Stages, pools and a database are what the profile says")
    func serving() throws {
        let read = try Self.server(
            #""workerStages": [{"at": "5m", "workers": 9}, {"at": "2m", "workers": 3}],"#
                + #" "abandoned": "leavesLine", "order": "priority", "priorities": {"login": -2},"#
                + #" "waitLimit": "1s", "late": "leaves","#
                + #" "pools": [{"name": "lists", "endpoints": ["posts"], "workers": 7,"#
                + #" "workerStages": [{"at": "1s", "workers": 2}]}],"#
                + #" "database": {"connections": 5, "endpoints": ["login"]}"#)
        let serving = read.plan.serving
        #expect(read.problems.isEmpty, "\(read.problems)")
        #expect(serving.stages.map(\.start.nanoseconds) == [300 * Span.second, 120 * Span.second])
        #expect(serving.stages.map(\.workers) == [9, 3])
        #expect(serving.order == .priority && serving.priorities == ["login": -2])
        #expect(serving.lateness == .leaves && serving.abandonment == .leavesLine)
        #expect(serving.pools.map(\.queueLimit) == [10_000])
        #expect(serving.pools.map(\.workers) == [7] && serving.pools[0].endpoints == ["posts"])
        #expect(serving.pools.first?.stages.map(\.start.nanoseconds) == [Span.second])
        #expect(serving.database?.endpoints == ["login"] && serving.database?.rowsPerSecond == nil)
        #expect(serving.database?.connections == 5)
        #expect(serving.database?.queryTime == .exponential(mean: 2_000_000))
        let usual = try Self.server("").plan
        #expect(usual.userRate == nil && usual.waitLimitNanoseconds == nil)
    }

    @Test("A network's losses are faults for the whole run, none where nothing is lost")
    func network() throws {
        func network(_ text: String) throws -> NetworkPlan {
            try Self.read(text) { NetworkPlan(&$0) }.plan
        }
        let plan = try network(
            #""timeout": "7s", "connectFailureProbability": 0.1, "requestLossProbability": 0.2,"#
                + #" "answerLossProbability": 0.3, "lossNotice": "connectionLost","#
                + #" "bandwidthBytesPerSecond": 1000, "connectionsPerHost": 256"#)
        #expect(plan.timeoutNanoseconds == 7 * Span.second && plan.connectionsPerHost == 256)
        #expect(plan.bandwidthBytesPerSecond == 1_000 && plan.uploadBytesPerSecond == nil)
        #expect(plan.losses.map(\.probability) == [0.1, 0.2, 0.3])
        #expect(plan.losses.allSatisfy { $0.start == .start && $0.end.nanoseconds == .max })
        let calm = try network("")
        #expect(calm.losses.isEmpty && calm.timeoutNanoseconds == 60 * Span.second)
        #expect(calm.up == calm.down && calm.lossNotice == .timeout)
    }
}
