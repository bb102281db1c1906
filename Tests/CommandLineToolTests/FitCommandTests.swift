import Foundation
import SquallBackend
import SquallFit
import SquallFormat
import SquallLab
import Testing

@testable import CommandLineTool

@Suite("squall fit")
struct FitCommandTests {
    private static let forms = [AccessLogForm.combined, .json]

    /// The access log, in each form, of one run of the profile that `squall new` writes.
    private static let logs = Result { () throws -> [AccessLogForm: String] in
        let text = ProfileDraft.example.text(for: "x")
        var profile = try Profile.read(Array(text.utf8), file: "x", vocabulary: .installed)
        profile.seed = 4
        profile.backend.faults = []
        profile.durationNanoseconds = 600_000_000_000
        profile = profile.scaled(toUsers: 120)
        var logs: [AccessLogForm: String] = [:]
        var options = LoadRun.Options(replayCommand: "")
        options.serverLog = { served in
            for form in forms { logs[form, default: ""] += form.line(served) + "\n" }
        }
        _ = try LoadRun(profile: profile, named: "x", options: options).run { _ in .continue }
        return logs
    }

    private static func log(_ form: AccessLogForm) throws -> String {
        try #require(try logs.get()[form])
    }

    private func figures(_ squall: PlayedTool) throws -> [String: JSONNode] {
        let document = try JSONParser.parse(Array(squall.console.output.utf8))
        guard case .array(let list)? = document["figures"]?.value else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: list.compactMap { node in
                guard case .string(let name)? = node["name"]?.value else { return nil }
                return (name, node)
            })
    }

    private func number(_ node: JSONNode?) -> Double? {
        guard case .number(let text)? = node?.value else { return nil }
        return Double(text)
    }

    @Test("A profile whose mix of calls is not the log's is written only with --force")
    func unusable() throws {
        let squall = try PlayedTool()
        // The last third, which the model is compared with, asks for something else.
        let lines = (0..<900).map { index in
            let path = index < 600 ? "orders" : "reports"
            return #"{"ts":\#(1_700_000_000 + index),"user_id":"u\#(index % 40)","#
                + #""method":"GET","path":"/\#(path)","status":200,"duration":0.05}"#
        }
        try squall.write(lines.joined(separator: "\n"), to: "access.log")
        #expect(squall.run("fit", "access.log", "-o", "mine.json") == .failed)
        #expect(squall.console.output.hasPrefix("NOT USABLE  mine: "))
        #expect((try? squall.read("mine.json")) == nil)
        #expect(squall.run("fit", "access.log", "-o", "mine.json", "--force") == .passed)
        #expect(try squall.read("mine.json").contains("reports"))
        #expect(!squall.console.errors.contains("squall capacity"))
    }

    @Test(
        "From a run's own log come the numbers of its profile",
        arguments: forms)
    func roundTrip(form: AccessLogForm) throws {
        let squall = try PlayedTool()
        try squall.write(Self.log(form), to: "access.log")
        #expect(
            squall.run("fit", "access.log", "--json", "--no-check", "-o", "mine.json") == .passed)
        let found = try figures(squall)
        // What the profile says, with twice the interval: a few numbers of many seeds lie outside.
        for (name, truth) in [
            ("pause between screens", 8e9), ("absence between visits", 60e9),
            ("access token lifetime", 120e9), ("refreshes per expiry", 1),
        ] {
            let figure = found[name]
            let value = try #require(number(figure?["value"]), "\(name)")
            let low = try #require(number(figure?["low"]))
            let high = try #require(number(figure?["high"]))
            let margin = max(high - low, 1e-9 * truth)
            #expect((low - margin / 2...high + margin / 2).contains(truth), "\(name): \(value)")
        }
        #expect(number(found["users"]?["value"]) == 120)
        let text = try squall.read("mine.json")
        let profile = try Profile.read(
            Array(text.utf8), file: "mine.json", vocabulary: .installed)
        #expect(profile.users == 120 && profile.declaredApps.count == 1)
        #expect(profile.fitted.contains { $0.path == "populations[0].thinkTime" })
        #expect(profile.fitted.allSatisfy { $0.low > 0.1 && $0.low <= 1 && $0.high >= 1 })
        #expect(text.contains("/posts/{id}/comments") && text.contains("\"times\": 4"))
    }

    @Test("The model is held against the rest of the log, and the page shows both")
    func check() throws {
        let squall = try PlayedTool()
        try squall.write(Self.log(.json), to: "access.jsonl")
        let code = squall.play(["fit", "access.jsonl", "--page", "fit.html"])
        #expect(code == .passed, "\(squall.console.errors)")
        #expect(squall.console.output.hasPrefix("USABLE  my-api: "))
        #expect(squall.console.output.contains("Log and model"))
        #expect(try squall.read("fit.html").contains("p95 of all requests"))
        #expect(squall.console.output.contains("GET /posts"))
    }

    @Test("A log of few users makes a profile that is not reliable, which the first word says")
    func scarce() throws {
        let squall = try PlayedTool()
        let lines = (0..<400).map { index in
            #"{"ts":\#(1_700_000_000 + index),"user_id":"u\#(index % 4)","method":"GET","#
                + #""path":"/orders","status":200,"duration":0.05}"#
        }
        try squall.write(lines.joined(separator: "\n"), to: "access.log")
        #expect(
            squall.run("fit", "access.log", "-o", "mine.json", "--quiet", "--no-check") == .passed)
        #expect(
            squall.console.output.hasPrefix("NOT RELIABLE  mine: too little data (4 users; "))
    }

    @Test("squall fit refuses a file that is no log, an existing output and wrong options")
    func refusals() throws {
        let squall = try PlayedTool()
        try squall.write("nothing\n", to: "a.log")
        #expect(squall.run("fit", "a.log") == .invalidInput)
        #expect(squall.console.errors.contains("--format"))
        #expect(squall.run("fit", "b.log") == .inputOutput)
        #expect(squall.run("fit", "a.log", "--load", "half") == .usage)
        #expect(squall.run("fit", "a.log", "--format", "$status") == .usage)
        #expect(squall.run("fit", "a.log", "-o", "a.log") == .usage)
        try squall.write("mine", to: "mine.json")
        #expect(squall.run("fit", "a.log", "-o", "mine.json") == .usage)
        #expect(try squall.read("mine.json") == "mine")
    }

    @Test(
        "Where nothing tells people apart, that is said, and the profile can be read all the same")
    func unmatched() throws {
        let squall = try PlayedTool()
        let lines = (0..<400).map { number in
            "{\"time\":\(1_700_000_000 + number),\"method\":\"GET\",\"path\":\"/feed\","
                + "\"status\":200,\"duration_ms\":\(20 + number % 7)}"
        }
        try squall.write(lines.joined(separator: "\n"), to: "a.jsonl")
        #expect(
            squall.run("fit", "a.jsonl", "--no-check", "-o", "a.json", "--workers", "3") == .passed)
        let text = try squall.read("a.json")
        #expect(
            squall.console.output.hasPrefix(
                "NOT CHECKED  a: the model was not compared with the log\n"))
        #expect(
            text.contains("users cannot be identified") && text.contains("\"workers\": 3")
                && text.contains("\"up\": { \"constant\": \"0s\" }"))
    }
}
