import SquallCases
import SquallKernel
import SquallServices
import Testing

@testable import SquallBackend
@testable import SquallLab

@Suite("Settings of the backend")
struct BackendSettingsTests {
    private func profile(_ backend: String) throws -> Profile {
        try Profile.read(Profile.minimal(#""duration": "10m", "backend": {\#(backend)},"#))
    }

    private func configuration(_ backend: String) throws -> BackendPlan {
        BackendPlan(try profile(backend))
    }

    @Test("Backend settings that a profile leaves out have their defaults")
    func defaults() throws {
        let plan = try configuration("")
        #expect(plan.tokens.refresh == .coexist && !plan.tokens.keepsFamilies)
        #expect(plan.network.losses.isEmpty && plan.faults.isEmpty)
        #expect(plan.server.userRate == nil && plan.server.waitLimitNanoseconds == nil)
        try #expect(ServicesPlan(profile("")).payments.equalMerchantIDs == .charge)
    }

    @Test(
        "A refresh rule takes its numbers from the settings beside it",
        arguments: [
            ("rotatingStrict", .rotatingStrict),
            (
                "rotatingWithLeeway",
                .rotatingWithLeeway(windowNanoseconds: 7_000_000_000, generations: 3)
            ),
            (
                "rotatingWithReplay",
                .rotatingWithReplay(windowNanoseconds: 7_000_000_000, parentOfActive: true)
            ),
        ] as [(String, RefreshSemantics)])
    func refresh(name: String, semantics: RefreshSemantics) throws {
        let plan = try configuration(
            """
            "tokens": {"refresh": "\(name)", "reuseWindow": "7s", "reuseGenerations": 3,
              "replaysUnusedChild": true}
            """)
        #expect(plan.tokens.refresh == semantics)
    }

    @Test("A fault keeps its kind, window, scope and probability")
    func fault() throws {
        let plan = try configuration(
            """
            "faults": [{"kind": "latency", "at": "1m", "for": "30s", "factor": 2.5,
              "added": "10ms", "endpoints": ["posts"], "app": "scrolly", "users": 0.25,
              "probability": 0.5}]
            """)
        let fault = try #require(plan.faults.first)
        let added = Distribution.constant(nanoseconds: 10_000_000)
        #expect(fault.kind == .latency(factor: 2.5, added: added))
        #expect(fault.start.nanoseconds == 60_000_000_000 && fault.probability == 0.5)
        #expect(fault.end.nanoseconds == 90_000_000_000 && fault.scope.fraction == 0.25)
        #expect(fault.scope.endpoints == ["posts"] && fault.scope.users == [0..<100])
    }

    @Test("Content and generation are what the profile says")
    func content() throws {
        let settings = #""generation": "both", "content": {"novels": 3, "episodesPerNovelMin": 4}"#
        let plan = try ServicesPlan(profile(settings)).contract
        #expect(plan.years == ContractYear.allCases)
        #expect(plan.content.novels == 3 && plan.content.episodesPerNovel == 4...50)
    }

    @Test("The catalogue is what the profile says, and still where nothing is said")
    func catalogue() throws {
        let profile = try profile(
            #""catalogue": {"items": 50, "insertGap": "5s", "breaksTies": false}"#
        )
        let plan = ServicesPlan(profile).catalogue
        #expect(plan.items == 50 && !plan.breaksTies)
        #expect(plan.insertGap == .constant(nanoseconds: 5_000_000_000))
        #expect(plan.removalGap == nil && plan.nanosecondsPerRow == 2_000)
    }

    @Test("Order, pools, database and workers over time are those of the profile")
    func serving() throws {
        let plan = try configuration(
            """
            "server": {"workerStages": [{"at": "5m", "workers": 9}, {"at": "2m", "workers": 3}],
              "order": "priority", "priorities": {"login": -2}, "waitLimit": "1s",
              "late": "leaves", "abandoned": "freesWorker",
              "pools": [{"name": "lists", "endpoints": ["posts"], "workers": 7}],
              "database": {"connections": 5, "queryTime": "3ms", "rowsPerSecond": 1000}}
            """
        ).server.serving
        #expect(plan.stages.map(\.workers) == [3, 9] && plan.order == .priority)
        #expect(plan.stages.workers(at: Instant(nanoseconds: 120_000_000_000), first: 64) == 3)
        #expect(plan.stages.workers(at: .start, first: 64) == 64)
        #expect(plan.priorities == ["login": -2] && plan.lateness == .leaves)
        #expect(plan.abandonment == .freesWorker)
        #expect(
            plan.pools == [
                PoolPlan(
                    name: "lists", endpoints: ["posts"], workers: 7, queueLimit: 10_000,
                    stages: [])
            ])
        #expect(plan.database?.connections == 5 && plan.database?.rowsPerSecond == 1_000)
        #expect(plan.database?.queryTime == .constant(nanoseconds: 3_000_000))
    }

    @Test(
        "A backend setting without an effect is refused, with the way out",
        arguments: [
            (#""priorities": {"login": 1}"#, "unless order is \"priority\""),
            (#""late": "leaves""#, "needs a waitLimit"),
            (
                #""pools": [{"name": "a", "endpoints": ["posts"], "workers": 1},"#
                    + #" {"name": "b", "endpoints": ["posts"], "workers": 1}]"#,
                "\"posts\" is in the pool \"a\" already"
            ),
            (#""workerStages": [{"at": "11m", "workers": 1}]"#, "after the end of the run at 10m"),
        ])
    func refused(server: String, words: String) {
        #expect {
            try configuration("\"server\": {\(server)}")
        } throws: { error in "\(error)".contains(words) }
    }

    @Test("Times by endpoint are read by the endpoints' names")
    func serviceTimes() throws {
        let plan = try configuration(
            #""server": {"serviceTimes": {"login": "80ms"}, "userRate": {"perSecond": 2}}"#)
        #expect(plan.server.serviceTimes == ["login": .constant(nanoseconds: 80_000_000)])
        #expect(plan.server.userRate == RateLimit(perSecond: 2, burst: 1))
    }
}
