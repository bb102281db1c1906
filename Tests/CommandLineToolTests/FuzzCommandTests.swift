import Foundation
import SquallFormat
import SquallProof
import Synchronization
import TestSupport
import Testing

@testable import CommandLineTool
@testable import DeveloperTool

@Suite("squall-dev fuzz")
struct FuzzCommandTests {
    @Test("Only squall-dev has the commands fuzz, bench and selftest; squall says so")
    func owner() throws {
        let squall = try PlayedTool(commands: [.fuzz, .selfTest(), .bench([])])
        for name in ["bench", "fuzz", "selftest"] {
            let before = squall.console.output
            #expect(squall.run("help", name) == .passed)
            let text = String(squall.console.output.dropFirst(before.count))
            let differences = try GoldenFile.differences(of: text, from: "help-\(name).txt")
            #expect(differences == [])
        }
        #expect(squall.run("fuzz", "--lines", "-1") == .usage)
        #expect(squall.console.errors.hasSuffix("\nSee: squall-dev help fuzz\n"))
        let other = try PlayedTool()
        #expect(other.run("fuzz") == .usage)
        #expect(
            other.console.errors
                == "error: squall has no command 'fuzz'. It is a command of squall-dev.\n"
                + "See: squall help\n")
    }

    @Test("Fuzzed profiles that hold in both processes are counted, with the settings covered")
    func held() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        squall.child = PlayedWorkers { _, index in
            .ended(.held(bytes: "7", index < 20 ? nil : .requests))
        }
        // Drawing is slow in a debug build, and it is not what is asked here.
        try squall.write(Self.small, to: "p.json")
        let files = Array(repeating: "p.json", count: 60)
        #expect(squall.run(["fuzz", "--profiles", "0"] + files) == .passed)
        let lines = squall.console.output.split(separator: "\n")
        #expect(lines[0].hasPrefix("60 profiles, seed 1, each run twice: 60 held, 0 stood still"))
        // A worker has fifty profiles, and the next one begins to count again.
        #expect(lines[1].hasPrefix("of those that held, 30 came to their ends and the others"))
        #expect(
            lines[1].hasSuffix("were stopped: 30 after so many requests, 0 after so many events"))
        #expect(lines[2].hasPrefix("settings at both ends: "))
        #expect(lines[3].hasPrefix("pairs of settings in one profile: "))
    }

    @Test("A fuzzed profile that needs too much memory is not run, and is named with its size")
    func large() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        squall.child = PlayedWorkers { word, index in
            word == "#1" ? .ended(.tooLarge(bytes: 5_000_000_000)) : Self.held
        }
        #expect(squall.run("fuzz", "--profiles", "3") == .passed)
        #expect(squall.console.output.contains("2 held, 0 stood still and said so, 0 failed"))
        #expect(
            squall.console.output.contains(
                "profile 1 was not run: it would take 5 000 000 000 bytes"))
    }

    @Test("Profiles and command lines are tried in one call; the line that leaked most is named")
    func both() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        squall.child = PlayedWorkers { word, index in
            guard word.hasPrefix("@") else { return Self.held }
            var answer = FuzzLineTrial.Answer(megabytes: 40)
            switch word {
            case "@0": answer.growth = .init(unit: .replication, kept: 4_500, held: 10)
            case "@1":
                answer.code = 1
                answer.growth = .init(unit: .replication, kept: 400, held: 60_000)
            default: answer.stopMilliseconds = 3
            }
            return .answered(answer)
        }
        try squall.write(Self.small, to: "p.json")
        let code = squall.run("fuzz", "--profiles", "0", "--lines", "4", "p.json")
        #expect(code == .passed, "\(squall.console.errors)")
        #expect(squall.console.output.contains("1 profile, seed 1, each run twice: 1 held"))
        #expect(squall.console.output.contains("4 cases of command lines, seed 1: 0 failed"))
        #expect(
            squall.console.output.contains(
                "a replication left at most 4 500 bytes behind (line 0) and held 60 000 (line 1)"
                    + " in 2 lines\n"))
    }

    @Test("A leak for each schedule and a world for each replication are too much; caches are not")
    func growthBounds() {
        #expect(FuzzGrowth.schedule.judged(kept: 200_000, held: 5_000_000).complaint == nil)
        #expect(FuzzGrowth.replication.judged(kept: -200_000, held: -5_000_000).complaint == nil)
        let (few, many) = FuzzGrowth.schedule.counts
        #expect(
            FuzzGrowth.schedule.judged(kept: many * 60_000, held: 0).complaint
                == "150 schedules left 9000000 bytes behind")
        #expect(FuzzGrowth.schedule.judged(kept: 0, held: (many - few) * 500_000).complaint != nil)
        let world = 10_000_000
        #expect(FuzzGrowth.replication.judged(kept: 8 * world, held: 0).complaint != nil)
        #expect(FuzzGrowth.replication.judged(kept: 0, held: 6 * world).complaint != nil)
    }

    @Test("Memory that the C library allocated and did not free is measured")
    func liveBytes() async {
        // In a process of its own, where nothing else takes or gives back memory meanwhile.
        await #expect(processExitsWith: .success) {
            guard let before = ProcessUse.liveBytes else { return }
            let block = malloc(64 << 20)
            let with = try #require(ProcessUse.liveBytes)
            free(block)
            let after = try #require(ProcessUse.liveBytes)
            #expect(with - before > 60 << 20 && with - after > 60 << 20)
        }
    }

    @Test("--draw-only prints the settings that fuzzing would cover, without a run")
    func drawOnly() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        squall.child = PlayedWorkers { _, _ in nil }
        #expect(squall.run("fuzz", "--profiles", "4", "--draw-only") == .passed)
        let lines = squall.console.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("settings at both ends: "))
        #expect(lines[2].hasPrefix("never drawn: apps, backend.service, fitted, assumed ("))
        #expect(!lines[0].contains("…"))
    }

    @Test("A worker that dies is told of with its last words, and the others are still tried")
    func trap() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        squall.child = PlayedWorkers { word, index in
            word == "#3" || word.contains("trial") ? nil : Self.held
        }
        #expect(squall.run("fuzz", "--profiles", "9", "--keep", "kept") == .failed)
        #expect(squall.console.output.contains("8 held, 0 stood still and said so, 1 failed"))
        #expect(
            squall.console.output.contains(
                "profile 3 traps\n  the process ended with 132: last words"))
        // Whatever is drawn dies here, so nothing but what every profile needs is left.
        let small = try squall.read("kept/seed1-3.json")
        #expect(small.utf8.count < 300 && small.contains("schemaVersion"))
    }

    @Test("Different bytes of two processes are a failure although each of them held")
    func differs() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        squall.child = PlayedWorkers(differ: true) { _, _ in Self.held }
        #expect(squall.run("fuzz", "--profiles", "1") == .failed)
        #expect(
            squall.console.output.contains("profile 0 differs\n  two processes wrote different"))
    }

    @Test("A fuzzing worker prints a case before it runs, and then its outcome")
    func worker() throws {
        let squall = try PlayedTool(commands: [.fuzz])
        try squall.write(
            #"{"schemaVersion": 1, "duration": "5s", "populations": [{"users": 2, "journeys": "#
                + #"{"read": 1}}]}"#, to: "p.json")
        // Tests beside it in this process have Swift jobs, memory and processor time of their own.
        try FuzzWorker(
            subjects: [.kept("p.json"), .drawn(1)], seed: 1, console: squall.console, isAlone: false
        ).work(log: "log")
        let lines = try squall.read("log").split(separator: "\n")
        #expect(lines.count == 4 && lines[0] == "begin" && lines[2] == "begin")
        let verdicts = try [1, 3].map {
            try JSONDocument.read(FuzzLane.Verdict.self, from: Data(lines[$0].utf8))
        }
        guard case .ended(.held(let bytes, nil)) = verdicts[0] else {
            Issue.record("it did not hold to its end: \(verdicts[0])")
            return
        }
        #expect(bytes.count == 16)
    }

    private static let held = FuzzLane.Verdict.ended(.held(bytes: "7", nil))

    private static let small =
        #"{"schemaVersion": 1, "duration": "5s", "populations": [{"users": 2, "#
        + #""journeys": {"read": 1}}]}"#
}

/// Workers that write what they are told to; one that has nothing to say about a subject dies.
private final class PlayedWorkers: ChildProcess {
    private let verdict: @Sendable (_ word: String, _ index: Int) -> FuzzLane.Verdict?
    private let differ: Bool
    private let calls = Mutex(0)

    /// Where they differ, each of them has held other bytes.
    init(
        differ: Bool = false,
        _ verdict: @escaping @Sendable (String, Int) -> FuzzLane.Verdict?
    ) {
        self.verdict = verdict
        self.differ = differ
    }

    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        let call = calls.withLock { calls in
            calls += 1
            return calls
        }
        var log = ""
        var status: Int32 = 0
        for (index, word) in words.dropFirst(5).enumerated() where status == 0 {
            log += "begin\n"
            if let verdict = verdict(word, index) {
                let own = differ ? .ended(.held(bytes: "\(call)", nil)) : verdict
                log += JSONDocument.line(own) + "\n"
            } else {
                status = 132
            }
        }
        try Data(log.utf8).write(to: URL(filePath: words[2]))
        return ChildOutcome(status: status, errors: status == 0 ? "" : "last words")
    }
}
