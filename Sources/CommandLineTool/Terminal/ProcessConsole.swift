import Foundation
import SquallKernel

/// The console of the process: its streams, which may be a terminal.
final class ProcessConsole: Console {
    private(set) var outputFailure: String?
    private let standardInput: FileHandle
    /// What standard input had; it cannot be read twice, and a command may ask for it again.
    private var input: [UInt8]?

    init(standardInput: FileHandle = .standardInput) { self.standardInput = standardInput }

    var environment: [String: String] { ProcessInfo.processInfo.environment }

    var directory: URL { URL(filePath: FileManager.default.currentDirectoryPath) }

    /// The real clock, even while a run makes all other clocks virtual.
    var elapsedNanoseconds: Int64 { RealClock.nanoseconds }

    /// The lesser of the memory that Linux reports as available and the container's limit.
    var availableMemoryBytes: Int64? {
        func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
        func number(_ path: String) -> Int64? {
            text(path).flatMap { Int64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        let line = text("/proc/meminfo")?.split(separator: "\n")
            .first { $0.hasPrefix("MemAvailable:") }
        let machine = line?.split(separator: " ").dropFirst().first
            .flatMap { Int64($0) }.map { $0 * 1_024 }
        let used = number("/sys/fs/cgroup/memory.current") ?? 0
        let container = number("/sys/fs/cgroup/memory.max").map { max(0, $0 - used) }
        return [machine, container].compactMap { $0 }.min()
    }

    var date: String { Date.now.formatted(.iso8601) }

    func write(_ text: String, to stream: ConsoleStream) {
        let handle: FileHandle = stream == .output ? .standardOutput : .standardError
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            // A reader that has seen enough, such as head, is no failure.
            guard stream == .output, error.systemNumber != EPIPE else { return }
            outputFailure = outputFailure ?? error.reason
        }
    }

    /// Writes a note on standard error from any thread, over a line of progress.
    static func note(_ text: String) {
        let over = isatty(STDERR_FILENO) == 1 ? "\r\u{1b}[K" : ""
        try? FileHandle.standardError.write(contentsOf: Data("\(over)note: \(text)\n".utf8))
    }

    func isTerminal(_ stream: ConsoleStream) -> Bool {
        isatty(stream == .output ? STDOUT_FILENO : STDERR_FILENO) == 1
    }

    func columns(of stream: ConsoleStream) -> Int? {
        guard isTerminal(stream) else { return nil }
        var size = winsize()
        let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    func readInput() throws -> [UInt8] {
        if let input { return input }
        let bytes = Array(try standardInput.readToEnd() ?? Data())
        input = bytes
        return bytes
    }
}
