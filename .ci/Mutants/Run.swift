import Foundation

/// A command, by default in the copy of the checkout, below every other process.
struct Run {
    static let logPath = Workshop.folder + "/last.log"

    let words: [String]
    let environment: [String: String]
    let folder: String
    let seconds: Int

    init(
        _ words: [String], _ environment: [String: String] = [:], folder: String = Workshop.tree,
        seconds: Int
    ) {
        (self.words, self.environment) = (words, environment)
        (self.folder, self.seconds) = (folder, seconds)
    }

    /// What the last one printed.
    var log: String { (try? String(contentsOfFile: Self.logPath, encoding: .utf8)) ?? "" }

    /// Runs it to its end, or until a test says that something is wrong.
    func passed() -> Bool {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["nice", "-n", "10", "timeout", "-k", "5", "\(seconds)"] + words
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ProcessInfo.processInfo.environment
            .merging(environment) { _, new in new }
        process.standardOutput = pipe
        process.standardError = pipe
        _ = FileManager.default.createFile(atPath: Self.logPath, contents: nil)
        guard let log = FileHandle(forWritingAtPath: Self.logPath), (try? process.run()) != nil
        else { return false }
        var line = ""
        while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
            log.write(data)
            line += String(decoding: data, as: UTF8.self)
            if line.contains(" recorded an issue ") { process.terminate() }
            // A word may come in two pieces.
            line = String(line.suffix(100))
        }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
