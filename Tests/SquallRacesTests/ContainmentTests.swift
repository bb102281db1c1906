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

        private static func write(_ text: String) {
            try? FileHandle.standardOutput.write(contentsOf: Data("[[\(text)]]".utf8))
        }

        /// What the last start wrote.
        private func written(_ result: ExitTest.Result?) throws -> String {
            let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
            let end = text.split(separator: "[[").last ?? ""
            return String(end.split(separator: "]]").first ?? "")
        }

        @Test("A drill that traps is that drill's result, and every other one is played")
        func drills() async throws {
            let result = await #expect(
                processExitsWith: .exitCode(7),
                observing: [\.standardOutputContent, \.standardErrorContent]
            ) {
                Self.contain()
                var question = DrillQuestion()
                question.drills = [.expiredToken, .clockSetBack, .clockAhead]
                question.servers = [.strict, .oneShot]
                question.schedules = 2
                question.threads = 2
                let report = try question.asked(of: Self.trapping)
                Self.write(report.junit)
                exit(report.faults.count == 2 && !report.passes ? 7 : 1)
            }
            let junit = try written(result)
            let errors = String(
                decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(junit.contains(#"tests="6" failures="2""#), "\(junit)")
            #expect(junit.contains(#"message="ended by a fault of the simulation""#))
            #expect(
                errors.contains("pocket, drill clockSetBack, server strict was ended by a fault"))
            #expect(errors.contains("pocket, drill clockSetBack, server oneShot was ended"))
        }

        /// A client that dies of a clock that is behind.
        private static let trapping = PocketGround(app: { stage in
            let client = PocketClient(stage, life: 0, .none).asDrilled
            return DrillClient(
                signIn: client.signIn,
                call: {
                    precondition(stage.clock >= stage.now, "time goes on")
                    try await client.calls[0]()
                })
        })

        @Test(
            "A schedule that traps is left out, whatever the number of threads", arguments: [1, 2])
        func schedules(threads: Int) async throws {
            let result =
                threads == 1
                ? await #expect(
                    processExitsWith: .exitCode(7), observing: [\.standardOutputContent]
                ) { try Self.schedulesTrap(1) }
                : await #expect(
                    processExitsWith: .exitCode(7), observing: [\.standardOutputContent]
                ) { try Self.schedulesTrap(2) }
            let text = try written(result)
            let parts = text.split(separator: ";").map { $0.split(separator: " ") }
            #expect(
                parts.count == 2 && Int(parts[0][0]).map { $0 + parts[1].count } == 24, "\(text)")
        }

        private static func schedulesTrap(_ threads: Int) throws {
            contain()
            let exploration = try Explorer(.small(24, threads: threads, strategy: "random"))
                .explore(crowd)
            let numbers = exploration.faults.map { "\($0.schedule)" }.joined(separator: " ")
            write("\(exploration.coverage.schedules) played; \(numbers)")
            exit(exploration.faults.isEmpty ? 1 : 7)
        }

        /// Seven tasks; dies where the last one runs first.
        private static let crowd = ClosureSubject { schedule in
            let played = try Programs.crowd(7).play(schedule)
            precondition(played.violations.isEmpty, "the last came first")
            return played
        }
    }
#endif
