import Foundation
import Testing

@testable import CommandLineTool

@Suite("squall report")
struct ReportCommandTests {
    static let folder = "Results/storm/seed1-01234567"

    @Test("The page that is drawn again has the same bytes")
    func again() throws {
        let stage = try PlayedTool()
        _ = stage.run("run", "storm")
        let page = try stage.read("\(Self.folder)/report.html")
        try stage.write("gone", to: "\(Self.folder)/report.html")
        #expect(stage.run("report", Self.folder) == .passed)
        #expect(try stage.read("\(Self.folder)/report.html") == page)
        #expect(stage.console.output.hasSuffix("\(Self.folder)/report.html\n"))
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
        let stage = try PlayedTool()
        _ = stage.run("run", "storm")
        let path = "\(Self.folder)/\(file)"
        if let content {
            try stage.write(content, to: path)
        } else {
            try FileManager.default.removeItem(at: stage.folder.appending(path: path))
        }
        let page = try stage.read("\(Self.folder)/report.html")
        #expect(stage.run("report", Self.folder) == code)
        #expect(stage.console.errors.contains(file))
        #expect(try stage.read("\(Self.folder)/report.html") == page)
    }

    @Test(
        "What is no folder of a run is named with the way out",
        arguments: [
            ("p.json", "p.json is a file; name the folder of a run: Results/<profile>/<run>"),
            ("kept", "kept is a folder without a run: it has no summary.json"),
        ])
    func noRun(word: String, reason: String) throws {
        let stage = try PlayedTool()
        try stage.write("{}", to: "p.json")
        try stage.write("{}", to: "kept/other.json")
        #expect(stage.run("report", word) == .usage)
        #expect(stage.console.errors.contains(reason))
    }

    @Test("A summary of another kind is refused with the key, the line and the way out")
    func foreign() throws {
        let stage = try PlayedTool()
        _ = stage.run("run", "storm")
        let text = try stage.read("\(Self.folder)/summary.json")
        try stage.write(
            text.replacing("\"verdict\"", with: "\"verdct\""), to: "\(Self.folder)/summary.json")
        #expect(stage.run("report", Self.folder) == .invalidInput)
        #expect(stage.console.errors.contains("/verdict is missing; is 'verdct' meant for it?"))
        #expect(stage.console.errors.contains("run the profile again"))
    }

    @Test(
        "The users to trace are checked before the run",
        arguments: ["user:400", "app:other", "everybody"])
    func trace(selection: String) throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "--trace", selection) == .usage)
        #expect(try !stage.files(in: ".").contains("Results"))
    }

    @Test("The schema of summary.json is printed on request")
    func schema() throws {
        let stage = try PlayedTool()
        #expect(stage.run("schema", "summary") == .passed)
        #expect(stage.console.output.contains("\"title\" : \"Squall run summary\""))
    }
}
