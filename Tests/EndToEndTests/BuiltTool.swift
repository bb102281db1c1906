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
        let process = Process()
        let (output, errors) = (Pipe(), folder.appending(path: "errors-\(UUID().uuidString)"))
        try Data().write(to: errors)
        process.executableURL = try BuiltTool.executable()
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardOutput = path.flatMap(FileHandle.init(forWritingAtPath:)) ?? output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
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
