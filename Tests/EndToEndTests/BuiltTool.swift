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
    /// What it is called.
    let name: String

    init(named name: String = "squall") throws {
        self.name = name
        var path = Array(
            FileManager.default.temporaryDirectory.appending(path: "squall-XXXXXX").path()
                .utf8CString)
        guard mkdtemp(&path) != nil else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let bytes = path.dropLast().map { UInt8(bitPattern: $0) }
        folder = URL(
            filePath: String(decoding: bytes, as: UTF8.self), directoryHint: .isDirectory)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "Profiles"),
            withDestinationURL: BuiltTool.package.appending(path: "Profiles"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs the program to its end; with a path, what it writes goes there instead.
    func run(_ words: [String], outputTo path: String? = nil) throws -> Outcome {
        try run(executable(), words, outputTo: path) { _ in }
    }

    /// Runs a shell's line in which `squall` is the program.
    func shell(_ line: String) throws -> Outcome {
        let tool = try executable().path(percentEncoded: false)
        return try run(
            URL(filePath: "/bin/sh"), ["-c", "squall() { '\(tool)' \"$@\"; }; \(line)"]
        ) { _ in }
    }

    /// Runs the program and sends it a signal once its results have a place.
    func run(_ words: [String], signalling number: Int32) throws -> Outcome {
        let results = folder.appending(path: "Results", directoryHint: .isDirectory).path()
        return try run(executable(), words) { process in
            let pause = DispatchSemaphore(value: 0)
            while process.isRunning {
                let files = FileManager.default.subpaths(atPath: results) ?? []
                if files.contains(where: { $0.hasSuffix(".unfinished") }) { break }
                _ = pause.wait(timeout: .now() + .milliseconds(20))
            }
            kill(process.processIdentifier, number)
        }
    }

    /// Runs the program while one call of the C library fails; also whether that call came.
    func run(
        _ words: [String], failing call: String, number: Int
    ) throws -> (Outcome, isFailed: Bool) {
        let mark = folder.appending(path: "failed").path(percentEncoded: false)
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = try BuiltTool.failingCalls(in: folder)
        environment["SQUALL_FAIL"] = "\(call):\(number)"
        environment["SQUALL_FAILED"] = mark
        // The program does not start itself anew, which would count the calls from the beginning.
        environment["GLIBC_TUNABLES"] = ""
        let outcome = try run(executable(), words, environment: environment) { _ in }
        return (outcome, FileManager.default.fileExists(atPath: mark))
    }

    /// The library that lets calls fail, built by the system's compiler.
    private static func failingCalls(in folder: URL) throws -> String {
        let source = package.appending(path: "Tests/CFailingCalls/FailingCalls.c")
        let library = folder.appending(path: "libFailingCalls.so").path(percentEncoded: false)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-O1", "-shared", "-fPIC", "-o", library, source.path(percentEncoded: false),
        ]
        try compiler.run()
        compiler.waitUntilExit()
        return library
    }

    /// Runs the program and sends it a signal some times, first after a while.
    func run(
        _ words: [String], signalling number: Int32, afterMilliseconds delay: Int, times: Int = 1
    ) throws -> Outcome {
        let temporary = folder.appending(path: "tmp", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = temporary.path(percentEncoded: false)
        return try run(executable(), words, environment: environment) { process in
            let pause = DispatchSemaphore(value: 0)
            for _ in 0..<times where process.isRunning {
                _ = pause.wait(timeout: .now() + .milliseconds(delay))
                kill(process.processIdentifier, number)
            }
        }
    }

    private func run(
        _ executable: URL, _ words: [String], outputTo path: String? = nil,
        environment: [String: String]? = nil, meanwhile: (Process) -> Void
    ) throws -> Outcome {
        let process = Process()
        let (output, errors) = (Pipe(), folder.appending(path: "errors-\(UUID().uuidString)"))
        try Data().write(to: errors)
        process.executableURL = executable
        process.arguments = words
        process.currentDirectoryURL = folder
        process.environment = environment ?? process.environment
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
    private func executable() throws -> URL {
        let bundle = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        var folder = bundle.deletingLastPathComponent()
        for _ in 0..<4 {
            let file = folder.appending(path: name)
            if FileManager.default.isExecutableFile(atPath: file.path(percentEncoded: false)) {
                return file
            }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
