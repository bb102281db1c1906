import Dispatch
import Foundation

/// The program as it was built beside these tests.
struct BuiltTool {
    /// What it wrote, and the code it ended with.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The package's folder.
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A folder of its own that the program works in, with the package's profiles in it.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "squall-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "Profiles"),
            withDestinationURL: BuiltTool.package.appending(path: "Profiles"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs the program to its end; with a path, what it writes goes there instead.
    func run(_ words: [String], outputTo path: String? = nil) throws -> Outcome {
        try run(BuiltTool.executable(), words, outputTo: path) { _ in }
    }

    /// Runs a shell's line in which `squall` is the program.
    func shell(_ line: String) throws -> Outcome {
        let tool = try BuiltTool.executable().path(percentEncoded: false)
        return try run(
            URL(filePath: "/bin/sh"), ["-c", "squall() { '\(tool)' \"$@\"; }; \(line)"]
        ) { _ in }
    }

    /// Runs the program and sends it a signal once its results have a place.
    func run(_ words: [String], signalling number: Int32) throws -> Outcome {
        let results = folder.appending(path: "Results", directoryHint: .isDirectory).path()
        return try run(BuiltTool.executable(), words) { process in
            let pause = DispatchSemaphore(value: 0)
            while process.isRunning {
                let files = FileManager.default.subpaths(atPath: results) ?? []
                if files.contains(where: { $0.hasSuffix(".unfinished") }) { break }
                _ = pause.wait(timeout: .now() + .milliseconds(20))
            }
            kill(process.processIdentifier, number)
        }
    }

    private func run(
        _ executable: URL, _ words: [String], outputTo path: String? = nil,
        meanwhile: (Process) -> Void
    ) throws -> Outcome {
        let process = Process()
        let (output, errors) = (Pipe(), folder.appending(path: "errors-\(UUID().uuidString)"))
        try Data().write(to: errors)
        process.executableURL = executable
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardOutput = path.flatMap(FileHandle.init(forWritingAtPath:)) ?? output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        meanwhile(process)
        let data = path == nil ? try output.fileHandleForReading.readToEnd() ?? Data() : Data()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// The file beside the test bundle, wherever the build put both.
    private static func executable() throws -> URL {
        let bundle = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        var folder = bundle.deletingLastPathComponent()
        for _ in 0..<4 {
            let file = folder.appending(path: "squall")
            if FileManager.default.isExecutableFile(atPath: file.path(percentEncoded: false)) {
                return file
            }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
