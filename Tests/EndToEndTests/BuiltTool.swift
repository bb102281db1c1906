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

    /// Starts the program as a server; ends it, and returns what the body returned.
    func serving<Value>(
        _ words: [String], _ body: (_ base: URL) async throws -> Value
    ) async throws -> Value {
        let (process, output) = (Process(), Pipe())
        process.executableURL = try executable()
        process.arguments = ["serve"] + words + ["--port", "0"]
        process.currentDirectoryURL = folder
        process.standardOutput = output
        try process.run()
        defer {
            process.terminate()
            _ = try? output.fileHandleForReading.readToEnd()
            process.waitUntilExit()
        }
        var told = ""
        while true {
            let data = output.fileHandleForReading.availableData
            told += String(decoding: data, as: UTF8.self)
            if let base = told.firstMatch(of: /Serving .* at (http:\S+)\n/).flatMap({
                URL(string: String($0.1))
            }) {
                return try await body(base)
            }
            guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
        }
    }

    /// Runs a shell's line in which `squall` is the program.
    func shell(_ line: String) throws -> Outcome {
        let tool = try executable().path(percentEncoded: false)
        return try run(
            URL(filePath: "/bin/sh"), ["-c", "squall() { '\(tool)' \"$@\"; }; \(line)"]
        ) { _ in }
    }

    /// Runs a script as a shell with options reads it, with `squall` where commands are found.
    func script(
        _ text: String, shell: [String], environment more: [String: String] = [:]
    ) throws -> Outcome {
        let place = folder.appending(path: "bin", directoryHint: .isDirectory)
        if !FileManager.default.fileExists(atPath: place.path(percentEncoded: false)) {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: place.appending(path: name), withDestinationURL: executable())
        }
        let file = folder.appending(path: "script")
        try Data(text.utf8).write(to: file)
        var environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        environment["PATH"] =
            place.path(percentEncoded: false) + ":" + (environment["PATH"] ?? "")
        return try run(
            URL(filePath: "/usr/bin/env"), shell + [file.path(percentEncoded: false)],
            environment: environment
        ) { _ in }
    }

    /// Runs the program while calls of the C library fail, and tells whether such a call came.
    ///
    /// The plan is as `write:3` or `flock:all`. A program that has not ended after a minute is
    /// killed.
    func run(
        _ words: [String], failing plan: String
    ) throws -> (Outcome, isFailed: Bool) {
        let mark = folder.appending(path: "failed").path(percentEncoded: false)
        try? FileManager.default.removeItem(atPath: mark)
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = try BuiltTool.failingCalls.get()
        environment["FAILING_CALL"] = plan
        environment["FAILED_CALL"] = mark
        environment["TMPDIR"] = temporary.path(percentEncoded: false)
        // The program does not start itself anew, which would count the calls from the beginning.
        environment["GLIBC_TUNABLES"] = ""
        let outcome = try run(
            executable(), words, environment: environment, meanwhile: BuiltTool.killInAMinute)
        return (outcome, FileManager.default.fileExists(atPath: mark))
    }

    /// Where the program puts what it will take away again.
    var temporary: URL { folder.appending(path: "tmp", directoryHint: .isDirectory) }

    /// The library that lets calls fail, built by the system's compiler beside the program.
    private static let failingCalls = Result<String, any Error> {
        let source = package.appending(path: "Tests/CFailingCalls/FailingCalls.c")
        let library = try executable("squall").deletingLastPathComponent()
            .appending(path: "libFailingCalls.so").path(percentEncoded: false)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-O1", "-shared", "-fPIC", "-o", library, source.path(percentEncoded: false),
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
        return library
    }

    private static func killInAMinute(_ process: Process) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak process] in
            guard let process, process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
        }
    }

    /// Runs the program and sends it a signal some times, first after a while.
    ///
    /// A program that has not ended a minute after the last one is killed.
    func run(
        _ words: [String], signalling number: Int32, afterMilliseconds delay: Int, times: Int = 1
    ) throws -> Outcome {
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = temporary.path(percentEncoded: false)
        // A background job of a shell ignores some signals, and so would the program.
        signal(number, SIG_DFL)
        return try run(executable(), words, environment: environment) { process in
            let pause = DispatchSemaphore(value: 0)
            for _ in 0..<times where process.isRunning {
                _ = pause.wait(timeout: .now() + .milliseconds(delay))
                kill(process.processIdentifier, number)
            }
            BuiltTool.killInAMinute(process)
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

    /// The file beside the test bundle, wherever the build put both; of `squall` the one that
    /// `SQUALL` names, so that a release build that is there anyway can be tried.
    private func executable() throws -> URL {
        let named = ProcessInfo.processInfo.environment["SQUALL"]
        if name == "squall", let named { return URL(filePath: named) }
        return try BuiltTool.executable(name)
    }

    static func executable(_ name: String) throws -> URL {
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
