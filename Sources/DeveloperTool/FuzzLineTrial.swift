import CommandLineTool
import Foundation
import SquallFormat
import Synchronization

/// Runs random command lines in this process and checks what must hold of any line: an exit code
/// with a meaning, no hidden character, a stop that is heeded, bounded memory.
struct FuzzLineTrial {
    /// The result of a line.
    struct Answer: Codable, Hashable, Sendable {
        var code: Int32 = 0
        /// Processor time from the stop request to the end; nil where the line ended by itself.
        var stopMilliseconds: Int?
        var megabytes = 0
        /// The memory per schedule or other unit; nil where it was not measured.
        var growth: FuzzGrowth.PerUnit?
    }

    /// The most processor time that stopping may take; fifteen times as much in debug builds.
    static let stopMillisecondsMax: Int = {
        var isOptimised = true
        assert(
            {
                isOptimised = false; return true
            }())
        return isOptimised ? 1_000 : 15_000
    }()
    /// The memory offered as available; a line may take some more than that.
    static let bytesOffered: Int64 = 1_000_000_000
    private static let megabytesMax = 1_800
    /// The limit of a line with `--allow-large`: ten million users take 2.1 GB before they act.
    private static let megabytesMaxIfLarge = 2_700

    let folder: URL
    /// True if nothing else runs in this process: then memory and processor time are the line's
    /// own, and a Swift job outside the simulated world ends a run.
    var isAlone = true

    /// Tries the lines; returns the first complaint, or nil.
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
        if let growth = line.growth, let words = line.lines.last {
            return grown(words, by: growth)
        }
        ProcessUse.forgetPeak()
        var answer = Answer()
        for words in line.lines {
            let before = answer.code
            let (code, errors, complaint) = attempt(
                words, stopAfter: line.stopAfterMilliseconds, &answer)
            if let complaint { return (answer, complaint) }
            if words.first == "validate", line.lines.count > 1, before == 0, code != .passed,
                code != .interrupted
            {
                return (answer, "a draft does not validate: \(errors)")
            }
            guard code == .passed else { break }
        }
        return (answer, nil)
    }

    /// A line that takes more processor time than this is not measured for growth.
    private static let growthMillisecondsMax = 3_000

    /// Measures a line's memory with few units and then with many, each time in a new folder and on
    /// one thread.
    ///
    /// The first time fills the allocator's caches and creates what is created once, so what the
    /// second time leaves behind is its own.
    private func grown(
        _ words: [String], by growth: FuzzGrowth
    ) -> (answer: Answer, complaint: String?) {
        let start = ProcessUse.milliseconds
        var answer = Answer()
        var (live, peaks): ([Int], [Int]) = ([], [])
        for count in [growth.counts.few, growth.counts.many] {
            ProcessUse.forgetPeak()
            let left = start + Self.growthMillisecondsMax - ProcessUse.milliseconds
            let (code, _, complaint) = attempt(
                words + growth.words(count), stopAfter: max(0, left), &answer)
            if let complaint { return (answer, complaint) }
            guard isAlone, answer.stopMilliseconds == nil, code == .passed || code == .failed,
                let bytes = ProcessUse.liveBytes
            else { return (answer, nil) }
            live.append(bytes)
            peaks.append(answer.megabytes * 1_000_000)
        }
        let (perUnit, complaint) = growth.judged(
            kept: live[1] - live[0], held: peaks[1] - peaks[0])
        answer.growth = perUnit
        return (answer, complaint)
    }

    /// Runs a line; returns its result and a complaint, if any.
    private func attempt(
        _ words: [String], stopAfter milliseconds: Int?, _ answer: inout Answer
    ) -> (ExitCode, errors: String, complaint: String?) {
        let (code, errors, hasAnswer, stop) = perform(words, stopAfter: milliseconds)
        answer.code = code.rawValue
        answer.stopMilliseconds = stop.map { max($0, answer.stopMilliseconds ?? 0) }
        answer.megabytes = ProcessUse.peakMegabytes
        let complaint =
            complaint(code, errors, hasAnswer)
            ?? (isAlone ? excess(of: answer, isLarge: words.contains("--allow-large")) : nil)
        return (code, errors, complaint)
    }

    private func complaint(_ code: ExitCode, _ errors: String, _ hasAnswer: Bool) -> String? {
        if code == .internalError, !errors.contains("stood still") {
            return "an internal error: \(errors)"
        }
        if code != .passed, code != .failed, errors.isEmpty, !hasAnswer {
            return "\(code) without a word"
        }
        if errors.visible != errors.replacing("\n", with: "\\u{a}") {
            return "a hidden character: \(errors.visible)"
        }
        return nil
    }

    /// The limit that a line exceeded, if any.
    private func excess(of answer: Answer, isLarge: Bool) -> String? {
        if let stop = answer.stopMilliseconds, stop > Self.stopMillisecondsMax {
            return "a stop took \(stop) ms"
        }
        let most = isLarge ? Self.megabytesMaxIfLarge : Self.megabytesMax
        return answer.megabytes > most ? "it took \(answer.megabytes) MB" : nil
    }

    private func perform(
        _ words: [String], stopAfter milliseconds: Int?
    ) -> (ExitCode, errors: String, hasAnswer: Bool, stop: Int?) {
        let interruption = Interruption()
        let console = FuzzConsole(directory: folder)
        let tool = Tool(isStrict: isAlone, interruption: interruption, child: NoChild())
        let request = milliseconds.map { TimedRequest(to: interruption, afterMilliseconds: $0) }
        let code = tool.main(words, console: console)
        return (code, console.errors, console.hasAnswer, request?.end())
    }
}

/// A console in memory.
private final class FuzzConsole: Console, @unchecked Sendable {
    // Safe because each of its members that change is behind a lock.

    let directory: URL
    let environment: [String: String] = [:]
    let outputFailure: String? = nil
    private let written = Mutex((errors: "", hasAnswer: false))

    init(directory: URL) { self.directory = directory }

    var errors: String { written.withLock { $0.errors } }
    /// True as soon as anything was written to standard output.
    var hasAnswer: Bool { written.withLock { $0.hasAnswer } }
    var elapsedNanoseconds: Int64 { 0 }
    var availableMemoryBytes: Int64? { FuzzLineTrial.bytesOffered }
    var date: String { "2024-09-01T00:00:00Z" }

    func write(_ text: String, to stream: ConsoleStream) {
        written.withLock { written in
            if stream == .error { written.errors += text } else { written.hasAnswer = true }
        }
    }

    func isTerminal(_ stream: ConsoleStream) -> Bool { false }
    func columns(of stream: ConsoleStream) -> Int? { nil }
    func readInput() throws -> [UInt8] { [] }
}

/// Refuses to start other processes.
private struct NoChild: ChildProcess {
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        throw POSIXError(.EPERM)
    }
}
