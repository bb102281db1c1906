import Foundation
import SquallReport

@testable import CommandLineTool
@testable import SquallApps
@testable import SquallLab

/// A folder of its own and a tool whose runner, children and terminal are all played.
final class PlayedTool {
    let folder: URL
    let console: PlayedConsole
    let interruption = Interruption()
    var runner = PlayedRunner()
    var child: any ChildProcess = NoChildren()
    /// Those beside the ones of `squall`.
    var commands: [Command]

    /// A tool with more commands than `squall`.
    init(commands: [Command] = []) throws {
        self.commands = commands
        folder = FileManager.default.temporaryDirectory.appending(
            path: "squall-\(UUID().uuidString)", directoryHint: .isDirectory)
        console = PlayedConsole(directory: folder)
        try write(PlayedRunner.profile, to: "Profiles/storm.json")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var tool: Tool {
        Tool(
            runner: runner, interruption: interruption, child: child,
            commands: Command.all + commands)
    }

    func run(_ words: String...) -> ExitCode { run(words) }

    /// Performs a command line with real runs; other tests have jobs of their own in this process.
    @discardableResult
    func play(_ words: [String]) -> ExitCode {
        Tool(isStrict: false, interruption: interruption, child: child)
            .main(words, console: console)
    }

    func run(_ words: [String]) -> ExitCode { tool.main(words, console: console) }

    func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
    }

    /// All files below a folder, hidden ones too, sorted.
    func files(in path: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: folder.appending(path: path).path(percentEncoded: false))
        return names.sorted()
    }
}

/// A terminal that remembers what was written.
final class PlayedConsole: Console {
    var environment: [String: String] = [:]
    let directory: URL
    var terminals: Set<ConsoleStream> = []
    var input = ""
    var outputFailure: String?
    var availableMemoryBytes: Int64?
    private(set) var output = ""
    private(set) var errors = ""
    private var elapsed: Int64 = 0

    init(directory: URL) { self.directory = directory }

    /// Every look at the clock finds it a second later.
    var elapsedNanoseconds: Int64 {
        elapsed += 1_000_000_000
        return elapsed
    }

    var date: String { "2024-09-01T00:00:00Z" }

    func write(_ text: String, to stream: ConsoleStream) {
        if stream == .output { output += text } else { errors += text }
    }

    /// How wide its terminals are.
    var columns: Int?

    func columns(of stream: ConsoleStream) -> Int? { columns }

    func isTerminal(_ stream: ConsoleStream) -> Bool { terminals.contains(stream) }

    func readInput() throws -> [UInt8] { Array(input.utf8) }
}

/// A runner that answers at once, with what its fields say.
struct PlayedRunner: ProfileRunner {
    static let profile = """
        {
          "schemaVersion": 1, "question": "Does it storm?", "duration": "10m",
          "populations": [
            { "name": "day", "users": 300, "journeys": { "read": 1 } },
            { "name": "night", "users": 100, "journeys": { "read": 1 } }
          ],
          "thresholds": { "hangs": ["count==0"] }
        }
        """

    var hangs: Int64 = 0
    var error: CommandFailure?
    var reports = 1
    /// Called before each progress report.
    var beforeReport: @Sendable () -> Void = {}

    var vocabulary = ProfileVocabulary(
        apps: [
            AppDescription(
                name: "scrolly", about: "", designs: ["asBuilt"],
                journeys: [
                    JourneyDescription(
                        name: "read", about: "", goal: nil, launch: .start,
                        steps: [
                            StepDescription(
                                name: "episode", probability: 1, leadsOn: false, condition: .always)
                        ])
                ], origin: "", callKinds: []
            ) { _, _ in preconditionFailure("nobody runs it") }
        ], endpoints: [])

    func run(
        _ profile: Profile, named name: String, _ options: LoadRun.Options,
        progress: (RunProgress) -> RunControl
    ) throws -> RunResult {
        if let error { throw error }
        var isPartial = false
        for report in 1...reports where !isPartial {
            beforeReport()
            options.journal?("event \(report)")
            isPartial = progress(self.progress(profile, report)) == .stop
        }
        return RunResult(
            output: output(of: profile, name, options.replayCommand, isPartial: isPartial),
            requests: 1_234)
    }

    private func progress(_ profile: Profile, _ report: Int) -> RunProgress {
        RunProgress(
            virtualNanoseconds: profile.durationNanoseconds * Int64(report) / Int64(reports),
            totalNanoseconds: profile.durationNanoseconds, usersActive: profile.users,
            requests: 1_234, refreshedTwice: 5, events: 0)
    }

    private func output(
        of profile: Profile, _ name: String, _ replay: String, isPartial: Bool
    ) -> RunOutput {
        var metrics = Metrics()
        metrics.add(hangs, to: metrics.counter(MetricKey(.hangs)))
        let duration = profile.durationNanoseconds
        var summary = RunSummary(of: metrics, untilNanoseconds: duration)
        (summary.profile, summary.question) = (name, profile.question)
        (summary.replay, summary.digest) = (replay, RunDigest(0x0123_4567_89ab_cdef))
        (summary.seed, summary.users) = (profile.seed, profile.users)
        summary.thresholds = profile.thresholds.map {
            $0.judge(metrics, overNanoseconds: duration)
        }
        return RunOutput(
            summary: summary.judged(isPartial: isPartial), metrics: metrics,
            timeseries: TimeSeries(
                columns: TimelineColumn.builtIn, intervalNanoseconds: 1_000_000),
            latencies: LatencyLog(),
            evidence: profile.thresholds.map {
                $0.evidence(of: metrics.value(of: $0.selection), overNanoseconds: duration)
            },
            writesOpenMetrics: profile.writesOpenMetrics)
    }
}

/// For stages on which no process is started.
struct NoChildren: ChildProcess {
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        throw CommandFailure(code: .internalError, description: "no child was expected")
    }
}
