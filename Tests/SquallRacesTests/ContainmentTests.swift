#if os(Linux)
    import Foundation
    import SquallKernel
    import TestSupport
    import Testing

    @testable import SquallRaces

    @Suite("A trap costs what trapped")
    struct ContainmentTests {
        /// Has a trap of this process start it again; an exit test finds itself in the environment.
        private static func contain() {
            let first = (try? Data(contentsOf: URL(filePath: "/proc/self/environ"))) ?? Data()
            for entry in first.split(separator: 0) {
                let words = String(decoding: entry, as: UTF8.self)
                    .split(separator: "=", maxSplits: 1).map(String.init)
                guard words.count == 2, words[0].hasPrefix("SWT_") else { continue }
                setenv(words[0], words[1], 1)
            }
            TrapReport.install()
            Containment.install(program: "/proc/self/exe", words: CommandLine.unsafeArgv)
        }

        @Test("A drill that traps is that drill's result, and every other one is played")
        func drills() async throws {
            let result = await #expect(
                processExitsWith: .exitCode(7), observing: [\.standardErrorContent]
            ) {
                Self.contain()
                var question = DrillOptions()
                question.drills = [.expiredToken, .clockSetBack, .clockAhead]
                question.servers = [.strict, .oneShot]
                question.schedules = 2
                question.threads = 2
                let report = try question.run(on: Self.trapping)
                let isTold =
                    report.junit.contains(#"tests="6" failures="2""#)
                    && report.junit.contains(#"message="ended by a fault of the simulation""#)
                exit(report.faults.count == 2 && isTold && !report.passes ? 7 : 1)
            }
            let errors = String(
                decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(errors.contains("pocket, drill clockSetBack, server oneShot was ended"))
        }

        /// A client that dies of a clock that is behind.
        private static let trapping = PocketUnderTest(app: { pocket in
            let client = PocketClient(pocket, life: 0, .none).asDrilled
            return DrillClient(
                signIn: client.signIn,
                call: {
                    precondition(pocket.clock >= pocket.now, "time goes on")
                    try await client.calls[0]()
                })
        })

        @Test("Every schedule that breaks a promise traps instead, and the others are played")
        func schedules() async throws {
            let broken = try Explorer(Self.plan(1)).explore(Programs.crowd(7)).coverage.broken
            #expect(broken > 1)
            let code = Int32(100 + broken)
            await #expect(processExitsWith: .exitCode(code)) {
                try Self.explore(Self.plan(1), Self.crowd)
            }
            await #expect(processExitsWith: .exitCode(code)) {
                try Self.explore(Self.plan(2), Self.crowd)
            }
        }

        @Test("A schedule that never ends is ended by its bound, and the rest is played")
        func endless() async throws {
            let broken = try Explorer(Self.short).explore(Programs.crowd(7)).coverage.broken
            let result = await #expect(
                processExitsWith: .exitCode(Int32(100 + broken)),
                observing: [\.standardErrorContent]
            ) { try Self.explore(Self.short, Self.spinning) }
            let errors = String(
                decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(errors.contains("used more than 1 s of processor time without an end"))
        }

        private static var short: ExplorationPlan {
            var plan = ExplorationPlan.small(8, threads: 1, strategy: "random")
            plan.processorSeconds = 1
            return plan
        }

        /// Seven tasks; spins where the last one runs first.
        private static let spinning = ClosureSubject { schedule in
            let played = try Programs.crowd(7).play(schedule)
            while !played.violations.isEmpty {}
            return played
        }

        private static func plan(_ threads: Int) -> ExplorationPlan {
            .small(24, threads: threads, strategy: "random")
        }

        /// Ends with 100 and the number of schedules that were ended, if all others were played.
        private static func explore(_ plan: ExplorationPlan, _ subject: ClosureSubject) throws {
            contain()
            let exploration = try Explorer(plan).explore(subject)
            let count = exploration.faults.count
            let isWhole = exploration.coverage.schedules + count == plan.schedules
            exit(isWhole ? Int32(100 + count) : 1)
        }

        /// Seven tasks; dies where the last one runs first.
        private static let crowd = ClosureSubject { schedule in
            let played = try Programs.crowd(7).play(schedule)
            precondition(played.violations.isEmpty, "the last came first")
            return played
        }
    }
#endif
