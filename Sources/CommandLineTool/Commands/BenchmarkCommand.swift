import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
import SquallReport

extension Command {
    static let benchmark = Command(
        name: "benchmark",
        summary: "Measure what a client costs: processor time, memory, refreshes per expiry.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: [
            Option(
                "--with", .text("path=value"),
                "Measure the profile with this setting beside the profile as it is; may be given"
                    + " several times.", repeats: true),
            Option(
                "--against", .path("program"),
                "Measure this program beside another build of it, such as that of the last"
                    + " release."),
            Option(
                "--pairs", .count(2...1_000),
                "Number of runs of each side, which take turns; 5 by default."),
            Option(
                "--tolerance", .text("percent"),
                "Exit with 1 where an attempt takes this much more processor time than the"
                    + " baseline, 5% by default, or where refreshes per expiry rise."),
            Option("--json", "Print the result as JSON instead."),
            Option("--page", .path("file"), "Also write the answer as a page."),
            .noColor, .quiet,
        ] + Option.ofProfile + [.allowLarge],
        example: "squall benchmark quick --with populations[0].design=reference",
        perform: { try BenchmarkCommand(invocation: $0).perform() })
}

/// Runs a profile in processes of their own, in turn with those of a baseline.
struct BenchmarkCommand: PerformedCommand {
    let invocation: Invocation

    private static let pairs: Int64 = 5
    private static let tolerance = 0.05

    /// One side: the program, and what its command line has beside the other's.
    private struct Subject {
        let name: String
        var program: URL?
        var words: [String] = []
    }

    func perform() throws -> ExitCode {
        let file = try file(arguments.operands[0])
        guard file.word != "-" else {
            throw CommandFailure.usage(
                "squall benchmark reads the profile in each run, so it must be a file")
        }
        let least = try profile(in: file).profile.populations.count
        let tolerance = try tolerance()
        let (subject, baseline) = try subjects(file.name)
        let pairs = arguments.count("--pairs") ?? Self.pairs
        let all = (pairs + 1) * (baseline == nil ? 1 : 2)
        var done: Int64 = 0
        var line = StatusLine(console: console, isQuiet: isQuiet, logEvery: 10 * Span.second)
        defer { line.clear() }
        func run(_ subject: Subject, users: Int? = nil) throws -> BenchmarkAnswer.Sample {
            defer { done += 1 }
            line.show { elapsed in
                "benchmark · \(done) of \(Units.counted(all, "run"))"
                    + " · \(Units.approximate(nanoseconds: elapsed)) real"
            }
            return try sample(subject, users: users)
        }
        // One user of each population, first: a program's first run reads it from the disk.
        var other = try baseline.map {
            BenchmarkAnswer.Side($0.name, least: try run($0, users: least))
        }
        var side = BenchmarkAnswer.Side(subject.name, least: try run(subject, users: least))
        for _ in 0..<pairs {
            if let baseline { other?.runs.append(try run(baseline)) }
            side.runs.append(try run(subject))
        }
        let answer = BenchmarkAnswer(
            profile: file.name, side, baseline: other, tolerance: tolerance,
            replay: replayCommand)
        return end(
            with: answer.verdict == .failed ? .failed : .passed,
            beside: [BesideFile(outputFile("--page"), answer.document.html)]
        ) { _ in
            show(answer.document, json: JSONDocument.text(answer))
        }
    }

    private func tolerance() throws(CommandFailure) -> Double {
        guard let text = arguments.text("--tolerance") else { return Self.tolerance }
        guard let percent = Double(text.hasSuffix("%") ? String(text.dropLast()) : text),
            (0...1_000).contains(percent)
        else {
            throw .usage("--tolerance must be a percentage such as 5%, got '\(text)'")
        }
        return percent / 100
    }

    private func subjects(_ name: String) throws -> (Subject, Subject?) {
        let settings = arguments.texts("--with")
        guard let path = arguments.text("--against") else {
            guard !settings.isEmpty else { return (Subject(name: name), nil) }
            _ = try arguments.settings("--with", as: "populations[0].design=reference")
            return (
                Subject(
                    name: settings.joined(separator: ", "),
                    words: settings.flatMap { ["--set", $0] }), Subject(name: name)
            )
        }
        guard settings.isEmpty else {
            throw CommandFailure.usage(
                "--against measures another build of the same client, --with another client: give"
                    + " one of them")
        }
        let program = console.file(path)
        guard FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false))
        else {
            throw CommandFailure.usage("--against: there is no program '\(path.visible)'")
        }
        return (Subject(name: "this build"), Subject(name: path.visible, program: program))
    }

    /// Plays the profile once in a process of its own.
    private func sample(_ subject: Subject, users: Int?) throws -> BenchmarkAnswer.Sample {
        try TemporaryFolder.use(until: interruption) { folder in
            let size = users.map { ["--users", "\($0)"] }
            let own = Option.ofProfile.filter { size == nil || $0.name != "--users" }
            let kept = folder.appending(path: "benchmark.json")
            let outcome = try tool.child.run(
                ["run", arguments.operands[0], "--quiet"]
                    + [
                        "--summary", kept.path(percentEncoded: false), "--out",
                        folder.path(percentEncoded: false),
                    ] + (size ?? [])
                    + arguments.words(of: own + [.allowLarge]) + subject.words,
                ChildSurroundings(
                    environment: console.environment, executable: subject.program))
            try outcome.checkResults(of: "a run of \(subject.name)")
            guard let data = try? Data(contentsOf: kept) else {
                throw CommandFailure.usage(
                    "\(subject.name) ran and wrote no summary: is it a squall?")
            }
            return BenchmarkAnswer.Sample(
                try JSONDocument.read(RunSummary.self, from: data),
                processorNanoseconds: outcome.processorNanoseconds,
                peakMemoryBytes: outcome.peakMemoryBytes)
        }
    }
}
