import CommandLineTool
import Foundation
import SquallFormat
import SquallKernel
import SquallLab
import SquallProof
import Synchronization

extension Command {
    static let fuzz = Command(
        name: "fuzz",
        summary: "Draw valid profiles from the table of settings, and hold small runs of them"
            + " against everything that must hold of any run.",
        operands: [.profileFiles],
        options: [
            Option(
                "--profiles", .count(0...10_000_000),
                "How many to draw, beside the files named; 100 by default."),
            Option(
                "--lines", .count(0...10_000_000),
                "How many command lines to draw: options beside profiles, damaged files of its own,"
                    + " documents of other APIs; none by default."),
            Option(
                "--first", .count(0...1_000_000_000),
                "Number of the first one drawn; 0 by default."),
            Option("--seed", .seed, "Draw others; 1 by default."),
            Option(
                "--keep", .path("folder"),
                "Where profiles that fail go, made small; Fuzz by default."),
            Option(
                "--draw-only",
                "Run none: say what the drawn profiles would cover, and all that they would not."),
            .quiet,
            Option("--worker", .path("log"), "Try the words one by one.", isHidden: true),
        ],
        example: "squall-dev fuzz --profiles 1000 --seed 7", program: "squall-dev",
        perform: { try FuzzCommand(invocation: $0).perform() })
}

/// Runs random profiles twice, in separate processes, and minimises those that fail.
///
/// The two runs of a profile order dictionaries differently. Runs are short because they stop after
/// some thousands of requests, not because settings are small: settings are at the ends of their
/// ranges as often as in between.
struct FuzzCommand: PerformedCommand {
    let invocation: Invocation
    private let draw = ProfileDraw()
    /// The folder for subjects that fail.
    private var place: URL { console.file(arguments.text("--keep") ?? "Fuzz") }

    func perform() throws -> ExitCode {
        let seed = arguments.seed("--seed") ?? 1
        if let log = arguments.text("--worker") {
            let subjects = arguments.operands.map(FuzzSubject.init(word:))
            try FuzzWorker(subjects: subjects, seed: seed, console: console, isAlone: true)
                .work(log: log)
            return .passed
        }
        let first = UInt64(arguments.count("--first") ?? 0)
        let lineCount = UInt64(arguments.count("--lines") ?? 0)
        let kept = arguments.operands.map(FuzzSubject.kept)
        let lines = kept.filter(\.isLine) + (first..<first + lineCount).map(FuzzSubject.line)
        let count = UInt64(arguments.count("--profiles") ?? (lines.isEmpty ? 100 : 0))
        let subjects =
            kept.filter { !$0.isLine } + (first..<first + count).map(FuzzSubject.drawn)
        if arguments.has("--draw-only") {
            let coverage = try coverage(of: subjects, seed)
            console.write(coverage.text(isFull: true), to: .output)
            return .passed
        }
        return try TemporaryFolder.use(until: tool.interruption) { folder in
            let lanes = try (1...2).map { try lane($0, seed, in: folder) }
            let codes = [
                subjects.isEmpty ? .passed : try perform(subjects, seed, lanes, in: folder),
                lines.isEmpty ? .passed : try perform(lines: lines, seed, lanes),
            ]
            return codes.contains(.failed) ? .failed : .passed
        }
    }

    /// Tries command lines once each: half of them in each lane.
    private func perform(
        lines: [FuzzSubject], _ seed: UInt64, _ lanes: [FuzzLane]
    ) throws -> ExitCode {
        let halves = [lines.prefix(lines.count / 2), lines.dropFirst(lines.count / 2)].map(
            Array.init)
        let verdicts = try WorkerThreads(count: 2).map(2) { try lanes[$0].verdicts(on: halves[$0]) }
        let trials = Array(zip(lines, verdicts.flatMap { $0 }))
        console.write(FuzzLineYield(trials: trials, seed: seed).text, to: .output)
        let base = try FuzzLineBase(in: lanes[0].folder).files
        let failures = trials.filter { $0.1.complaint != nil }
        for (subject, verdict) in failures {
            let line = try subject.line(seed: seed, base: base, console: console)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let name = subject.name.replacing(" ", with: "-").replacing("/", with: "-")
            let file = place.appending(path: "seed\(seed)-\(name)\(FuzzLine.suffix)")
            try Data(JSONDocument.text(line).utf8).write(to: file)
            console.write(
                "\(subject.name) \(verdict.complaint ?? ""): \(line.text.excerpt(200))\n"
                    + "  \(verdict.detail.visible)\n  kept: \(file.path(percentEncoded: false))\n",
                to: .output)
        }
        return failures.isEmpty ? .passed : .failed
    }

    private func perform(
        _ subjects: [FuzzSubject], _ seed: UInt64, _ lanes: [FuzzLane], in folder: URL
    ) throws -> ExitCode {
        let pairs = try verdicts(of: lanes, on: subjects)
        let trials = zip(subjects, pairs)
        let coverage = try coverage(of: trials.filter { $0.1.isRun }.map(\.0), seed)
        console.write(FuzzYield(pairs: pairs, seed: seed).text + coverage.text(), to: .output)
        for (subject, pair) in trials {
            guard case .ended(.tooLarge) = pair.first, pair.complaint == nil else { continue }
            console.write("\(subject.name) was not run: \(pair.first.detail)\n", to: .output)
        }
        let failures = trials.filter { $0.1.complaint != nil }
        for (subject, pair) in failures {
            let path = try keep(subject, pair, lanes, in: folder)
            let complaint = "\(subject.name) \(pair.complaint ?? "")"
            console.write("\(complaint)\n  \(pair.detail)\n  made small: \(path)\n", to: .output)
        }
        return failures.isEmpty ? .passed : .failed
    }

    /// The settings that the subjects cover together.
    private func coverage(of subjects: [FuzzSubject], _ seed: UInt64) throws -> FuzzCoverage {
        var coverage = FuzzCoverage(.installed)
        for subject in subjects {
            try subject.profile(of: draw, seed: seed, console: console).map { coverage.note($0) }
        }
        return coverage
    }

    /// Makes a lane: one orders dictionaries the same in every process, the other does not.
    private func lane(_ number: Int, _ seed: UInt64, in folder: URL) throws -> FuzzLane {
        var environment = console.environment
        environment["SWIFT_DETERMINISTIC_HASHING"] = number == 1 ? "1" : nil
        // Without this cache, memory that a thread has freed does not count as in use.
        environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0"
        let own = folder.appending(path: "\(number)", directoryHint: .isDirectory)
        // Does not create parents, so a folder that a signal has removed stays removed.
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
        return FuzzLane(
            child: tool.child, environment: environment, seed: seed, folder: own)
    }

    /// The results of each subject in the two lanes, which run side by side.
    private func verdicts(
        of lanes: [FuzzLane], on subjects: [FuzzSubject]
    ) throws -> [FuzzPair] {
        let isShown = !arguments.has("--quiet") && console.isTerminal(.error)
        let done = Atomic<Int>(0)
        let results = WorkerThreads(count: lanes.count).map(lanes.count) { _ in
            guard isShown else { return }
            let count = done.load(ordering: .relaxed)
            console.write("\r\u{1b}[K\(count) of \(subjects.count)", to: .error)
        } _: { index in
            Result {
                try lanes[index].verdicts(on: subjects) { count in
                    if index == 0 { done.store(count, ordering: .relaxed) }
                }
            }
        }
        if isShown { console.write("\r\u{1b}[K", to: .error) }
        let verdicts = try results.map { try $0?.get() ?? [] }
        return zip(verdicts[0], verdicts[lanes.count - 1]).map { FuzzPair(first: $0, second: $1) }
    }

    /// Minimises a failing profile and writes it to the folder for failures.
    private func keep(
        _ subject: FuzzSubject, _ pair: FuzzPair, _ lanes: [FuzzLane], in folder: URL
    ) throws -> String {
        guard let drawn = try subject.profile(of: draw, seed: lanes[0].seed, console: console)
        else { return "nothing" }
        let trial = folder.appending(path: "trial", directoryHint: .isDirectory)
        // A complaint of one lane alone is reproduced in one process.
        let lanes =
            pair.first.complaint == nil && pair.second.complaint == nil
            ? lanes : [lanes[pair.first.complaint == nil ? 1 : 0]]
        // A hang takes a minute to tell from a slow run.
        let trialsMax = pair.complaint == "hangs" ? 40 : 300
        var shrinking = ProfileShrinking(.installed, trialsMax: trialsMax) { candidate in
            guard let file = try? candidate.write(to: trial, as: "trial"),
                let pairs = try? verdicts(
                    of: lanes, on: [.kept(file.path(percentEncoded: false))])
            else { return false }
            return pairs.first?.complaint == pair.complaint
        }
        let name =
            switch subject {
            case .kept(let path): URL(filePath: path).deletingPathExtension().lastPathComponent
            case .drawn(let number), .line(let number):
                "seed\(arguments.seed("--seed") ?? 1)-\(number)"
            }
        return try shrinking.smallest(of: drawn).write(to: place, as: name)
            .path(percentEncoded: false)
    }
}

/// The results of a subject in two processes.
struct FuzzPair: Hashable, Sendable {
    let first, second: FuzzLane.Verdict

    /// True if the subject had a profile, and a world was built from it.
    var isRun: Bool {
        switch first {
        case .undrawn, .ended(.tooLarge): false
        case .ended, .died, .answered: true
        }
    }

    /// The reason for which it failed; nil on success.
    var complaint: String? {
        first.complaint ?? second.complaint ?? (first == second ? nil : "differs")
    }

    /// Details for the reader of a failure.
    var detail: String {
        first.complaint == nil && second.complaint == nil
            ? "two processes wrote different bytes"
            : first.complaint == nil ? second.detail : first.detail
    }
}

extension DrawnProfile {
    /// Writes the profile and its files of arrivals to a folder.
    fileprivate func write(to folder: URL, as name: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let file = folder.appending(path: "\(name).json")
        try Data(document.document.utf8).write(to: file)
        return file
    }
}
