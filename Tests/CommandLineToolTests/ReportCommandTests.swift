import Foundation
import Testing

@testable import CommandLineTool

@Suite("squall report")
struct ReportCommandTests {
    static let folder = "Results/storm/seed1-01234567"

    @Test("The page that is drawn again has the same bytes")
    func again() throws {
        let squall = try PlayedTool()
        _ = squall.run("run", "storm")
        let page = try squall.read("\(Self.folder)/report.html")
        try squall.write("gone", to: "\(Self.folder)/report.html")
        #expect(squall.run("report", Self.folder) == .passed)
        #expect(try squall.read("\(Self.folder)/report.html") == page)
        #expect(squall.console.output.hasSuffix("\(Self.folder)/report.html\n"))
    }

    @Test(
        "A file that is missing or damaged is named, and the page stays as it was",
        arguments: [
            ("summary.json", "{", ExitCode.invalidInput),
            ("summary.json", #"{"a": 1}"#, .invalidInput),
            ("timeseries.csv", "time_ms,requests\n0\n", .invalidInput),
            ("latency.hlog", "Tag=x\n", .invalidInput), ("latency.hlog", nil, .inputOutput),
        ] as [(String, String?, ExitCode)])
    func damage(file: String, content: String?, code: ExitCode) throws {
        let squall = try PlayedTool()
        _ = squall.run("run", "storm")
        let path = "\(Self.folder)/\(file)"
        if let content {
            try squall.write(content, to: path)
        } else {
            try FileManager.default.removeItem(at: squall.folder.appending(path: path))
        }
        let page = try squall.read("\(Self.folder)/report.html")
        #expect(squall.run("report", Self.folder) == code)
        #expect(squall.console.errors.contains(file))
        #expect(try squall.read("\(Self.folder)/report.html") == page)
    }

    @Test(
        "What is no folder of a run is named with the way out",
        arguments: [
            ("p.json", "p.json is a file; name the folder of a run: Results/<profile>/<run>"),
            ("kept", "kept is a folder without a run: it has no summary.json"),
        ])
    func noRun(word: String, reason: String) throws {
        let squall = try PlayedTool()
        try squall.write("{}", to: "p.json")
        try squall.write("{}", to: "kept/other.json")
        #expect(squall.run("report", word) == .usage)
        #expect(squall.console.errors.contains(reason))
    }

    @Test("A summary of another kind is refused with the key, the line and the way out")
    func foreign() throws {
        let squall = try PlayedTool()
        _ = squall.run("run", "storm")
        let text = try squall.read("\(Self.folder)/summary.json")
        try squall.write(
            text.replacing("\"verdict\"", with: "\"verdct\""), to: "\(Self.folder)/summary.json")
        #expect(squall.run("report", Self.folder) == .invalidInput)
        #expect(squall.console.errors.contains("/verdict is missing; is 'verdct' meant for it?"))
        #expect(squall.console.errors.contains("run the profile again"))
    }

    @Test(
        "The users to trace are checked before the run",
        arguments: ["user:400", "app:other", "everybody"])
    func trace(selection: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--trace", selection) == .usage)
        #expect(try !squall.files(in: ".").contains("Results"))
    }
}
