import Foundation
import SquallFormat
import SquallProof
import Synchronization

/// Performs drawn command lines in this process, and holds what they do against what must hold of
/// any: an exit code with a meaning, no hidden character, a stop that is heeded, bounded memory.
struct FuzzLineTrial {
    /// What a line came to.
    struct Answer: Hashable, Sendable {
        var code: Int32 = 0
        /// Processor time from a request to end until it ended; nil where it came to its own end.
        var stopMilliseconds: Int?
        var megabytes = 0
    }

    /// A stop takes at most so much processor time; fifteen times as much unless optimised.
    static let stopMillisecondsMax: Int = {
        var isOptimised = true
        assert(
            {
                isOptimised = false; return true
            }())
        return isOptimised ? 1_000 : 15_000
    }()
    /// What is offered as available, and how much more than that a line may take.
    static let bytesOffered: Int64 = 1_000_000_000
    private static let megabytesMax = 1_800

    let folder: URL

    /// Tries the lines; returns why one of them is no success.
    func tried(
        _ line: FuzzLine, isFresh: Bool = true
    ) throws -> (answer: Answer, complaint: String?) {
        if isFresh { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, text) in line.files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        ProcessFacts.forgetPeak()
        var answer = Answer()
        for words in line.lines {
            let before = answer.code
            let (code, errors, stop) = perform(words, stopAfter: line.stopAfterMilliseconds)
            answer.code = code.rawValue
            answer.stopMilliseconds = stop.map { max($0, answer.stopMilliseconds ?? 0) }
            answer.megabytes = ProcessFacts.peakMegabytes
            if let complaint = complaint(code, errors, answer) { return (answer, complaint) }
            if words.first == "validate", line.lines.count > 1, before == 0, code != .passed,
                code != .interrupted
            {
                return (answer, "a draft does not validate: \(errors)")
            }
            guard code == .passed else { break }
        }
        return (answer, nil)
    }

    private func complaint(_ code: ExitCode, _ errors: String, _ answer: Answer) -> String? {
        if code == .internalError, !errors.contains("stood still") {
            return "an internal error: \(errors)"
        }
        if code != .passed, code != .failed, errors.isEmpty { return "\(code) without a word" }
        if errors.visible != errors.replacing("\n", with: "\\u{a}") {
            return "a hidden character: \(errors.visible)"
        }
        if let stop = answer.stopMilliseconds, stop > Self.stopMillisecondsMax {
            return "a stop took \(stop) ms"
        }
        return answer.megabytes > Self.megabytesMax ? "it took \(answer.megabytes) MB" : nil
    }

    private func perform(
        _ words: [String], stopAfter milliseconds: Int
    ) -> (ExitCode, errors: String, stop: Int?) {
        let interruption = Interruption()
        let console = FuzzConsole(directory: folder)
        let tool = Tool(
            runner: InstalledRunner(), benchmarks: [], interruption: interruption,
            child: NoChild())
        let watch = FuzzWatch(interruption, after: milliseconds)
        let code = tool.main(words, console: console)
        return (code, console.errors, watch.end())
    }
}

/// Asks a command to end after some processor time, and measures how long it takes.
private final class FuzzWatch: Sendable {
    private let isOver = Atomic(false)
    private let askedAt = Atomic(-1)

    init(_ interruption: Interruption, after milliseconds: Int) {
        let start = ProcessFacts.milliseconds
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .acquiring) {
                let now = ProcessFacts.milliseconds
                if now - start >= milliseconds {
                    askedAt.store(now, ordering: .releasing)
                    // What nothing waits for ends the process at once; here it may go on, and is
                    // not measured.
                    if interruption.request() { askedAt.store(-1, ordering: .releasing) }
                    return
                }
                usleep(2_000)
            }
        }
    }

    func end() -> Int? {
        isOver.store(true, ordering: .releasing)
        let asked = askedAt.load(ordering: .acquiring)
        return asked < 0 ? nil : ProcessFacts.milliseconds - asked
    }
}

/// What the system says of this process.
private enum ProcessFacts {
    /// The processor time so far.
    static var milliseconds: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return seconds * 1_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000
    }

    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    static var peakMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_000
    }
}

/// A console in memory.
private final class FuzzConsole: Console, @unchecked Sendable {
    // Safe because each of its members that change is behind a lock.

    let directory: URL
    let environment: [String: String] = [:]
    let outputFailure: String? = nil
    private let written = Mutex("")

    init(directory: URL) { self.directory = directory }

    var errors: String { written.withLock { $0 } }
    var elapsedNanoseconds: Int64 { 0 }
    var availableMemoryBytes: Int64? { FuzzLineTrial.bytesOffered }
    var date: String { "2024-09-01T00:00:00Z" }

    func write(_ text: String, to stream: ConsoleStream) {
        if stream == .error { written.withLock { $0 += text } }
    }

    func isTerminal(_ stream: ConsoleStream) -> Bool { false }
    func columns(of stream: ConsoleStream) -> Int? { nil }
    func readInput() throws -> [UInt8] { [] }
}

/// Nothing starts another process.
private struct NoChild: ChildProcess {
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        throw CommandFailure.inputOutput("no process can be started here")
    }
}
