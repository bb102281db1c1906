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

    @Test("A fault of one moment is over when it begins, and one without an end never is")
    func moment() throws {
        let plan = try configuration(
            """
            "faults": [{"kind": "restart", "at": "1m"}, {"kind": "offline", "at": "1m"}]
            """)
        #expect(plan.faults.map(\.end.nanoseconds) == [60_000_000_000, .max])
    }

    @Test("Content and generation are what the profile says")
    func content() throws {
        let settings = #""generation": "both", "content": {"novels": 3, "episodesPerNovelMin": 4}"#
        let plan = try ServicesPlan(profile(settings)).contract
        #expect(plan.years == ContractYear.allCases)
        try #expect(ServicesPlan(profile(settings)).payments.equalMerchantIDs == .charge)
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

    @Test("Workers over time are in the order of time, and the first ones until then")
    func stages() throws {
        let stages = try configuration(
            """
            "server": {"workerStages": [{"at": "5m", "workers": 9}, {"at": "2m", "workers": 3}]}
            """
        ).server.serving.stages
        #expect(stages.map(\.workers) == [3, 9])
        #expect(stages.workers(at: Instant(nanoseconds: 120_000_000_000), first: 64) == 3)
        #expect(stages.workers(at: .start, first: 64) == 64)
    }

    @Test("A worker's stage after the end of the run is refused, with the way out")
    func lateStage() {
        #expect {
            try configuration(#""server": {"workerStages": [{"at": "11m", "workers": 1}]}"#)
        } throws: { "\($0)".contains("after the end of the run at 10m") }
    }

    @Test("Times by endpoint are read by the endpoints' names")
    func serviceTimes() throws {
        let plan = try configuration(
            #""server": {"serviceTimes": {"login": "80ms"}, "userRate": {"perSecond": 2}}"#)
        #expect(plan.server.serviceTimes == ["login": .constant(nanoseconds: 80_000_000)])
        #expect(plan.server.userRate == RateLimit(perSecond: 2, burst: 1))
    }
}
