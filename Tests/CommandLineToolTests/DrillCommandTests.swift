import Foundation
import SquallAnswers
import SquallApps
import SquallFormat
import SquallRaces
import Synchronization
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("squall drill")
struct DrillCommandTests {
    private static let some = [
        "--drill", "expiredToken", "--drill", "refreshFailsOnce", "--drill", "killedDuringRefresh",
        "--drill", "signOutDuringRefresh", "--schedules", "2",
    ]

    @Test("An app as it was built breaks promises; its report is the accepted one, on any threads")
    func asBuilt() throws {
        let texts = try ["1", "2"].map { threads in
            let squall = try PlayedTool()
            let words = ["drill", "scrolly", "--threads", threads] + Self.some
            #expect(squall.run(words) == .failed)
            return squall.console.output
        }
        #expect(texts[0] == texts[1])
        let differences = try GoldenFile.differences(of: texts[0], from: "drill-scrolly.txt")
        #expect(differences == [])
    }

    @Test("A drill that is told to end is given up in the middle, and the report says so")
    func givenUp() throws {
        let app = try #require(AppRegistry.app(named: "scrolly"))
        var experiment = DrillOptions()
        experiment.drills = Drill.all.filter { $0.id == "expiredToken" }
        (experiment.servers, experiment.threads) = ([.lenient], 1)
        experiment.schedules = 1_000_000
        let looks = Mutex(0)
        experiment.isStopped = {
            looks.withLock { looks in
                looks += 1
                return looks > 20
            }
        }
        let report = try experiment.run(
            on: AppUnderTest(app, design: "reference", program: "squall"))
        #expect(report.cells.map(\.reason) == ["interrupted before it was played"])
        #expect(!report.passes && report.extent.word == "interrupted")
        #expect(report.junit.contains(#"skipped="1""#))
    }

    @Test("An app whose sign-ins bring no refresh token is drilled only if it signs in again")
    func withoutRefresh() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "mine.json") == .passed)
        let words = [
            "drill", "mine.json", "--drill", "expiredToken", "--schedules", "1", "--set",
            #"backend.service.delivery={"json":{"access":"access_token","refresh":""}}"#,
        ]
        #expect(squall.run(words) == .usage)
        #expect(squall.console.errors.contains("bring no refresh token, so there is no refresh to"))
        let again = words + ["--set", "apps[0].tokens.renewal=signIn"]
        #expect(squall.run(again) != .usage, "\(squall.console.errors)")
    }

    @Test(
        "A reference design keeps every promise that it is asked, before every server",
        arguments: AppRegistry.all.map(\.name) + ["mine.json"])
    func reference(_ word: String) throws {
        let squall = try PlayedTool()
        if word == "mine.json" { #expect(squall.run("new", word) == .passed) }
        let words = ["drill", word, "--design", "reference", "--schedules", "2"]
        #expect(squall.run(words) == .passed, "\(squall.console.output)")
        #expect(squall.console.output.contains("reference: 0 failed, "))
    }

    @Test("A declared design is asked by its profile's file, and replayed by the printed line")
    func declared() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "mine.json") == .passed)
        let words = ["drill", "mine.json", "--schedules", "2", "--server", "strict"]
        // What a draft declares is right as it stands.
        #expect(squall.run(words) == .passed, "\(squall.console.output)")
        let naive = try PlayedTool()
        #expect(naive.run("new", "mine.json") == .passed)
        _ = naive.run(
            words + ["--set", "apps[0].tokens.singleFlight=false", "--drill", "expiredToken"])
        let line = try #require(
            naive.console.output.split(separator: "\n").first { $0.hasPrefix("  replay") })
        let again = line.split(separator: " ").dropFirst(2)
            .map { String($0.filter { $0 != "'" }) }
        let replayed = try PlayedTool()
        #expect(replayed.run("new", "mine.json") == .passed)
        #expect(replayed.run(again) == .failed)
        #expect(replayed.console.output.contains("R0 was sent again while or after it was"))
        #expect(
            replayed.run(words + ["--design", "naive", "--drill", "monthAway", "--full"]) == .failed
        )
        #expect(replayed.console.output.contains("15d 0.080 s  calls 1–3 begin"))
    }

    @Test("A call that needs a token is drilled wherever it stands; without one nothing is")
    func openCalls() throws {
        let squall = try PlayedTool()
        let (open, whole) = (#"{"security": [], "responses": {}}"#, #"{"responses": {}}"#)
        for (file, second) in [("some", whole), ("none", open)] {
            try squall.write(
                """
                {"openapi": "3.0.0", "info": {"title": "t"}, "security": [{"o": []}],
                 "components": {"securitySchemes": {"o": {"type": "http", "scheme": "bearer"}}},
                 "paths": {"/news": {"get": \(open)}, "/me": {"get": \(second)}}}
                """, to: "\(file)-api.json")
            #expect(squall.run("new", "\(file).json", "--openapi", "\(file)-api.json") == .passed)
        }
        let words = ["--drill", "refreshRefused", "--server", "strict", "--schedules", "2"]
        #expect(squall.run(["drill", "some.json"] + words) == .passed, "\(squall.console.output)")
        #expect(squall.run(["drill", "none.json"] + words) == .usage)
        #expect(squall.console.errors.contains("no call on a screen of app"))
    }

    @Test("A write after a kill is not the retry of one that was refused before it")
    func writesAlone() throws {
        let squall = try PlayedTool()
        let body =
            #""requestBody": {"content": {"application/json": {"schema": {"properties": {"id":"#
            + #" {"type": "string"}}}}}}"#
        try squall.write(
            """
            {"openapi": "3.0.0", "info": {"title": "t"},
             "components": {"securitySchemes": {"o": {"type": "http", "scheme": "bearer"}}},
             "paths": {"/news": {"get": {}},
              "/cart": {"post": {"security": [{"o": []}], \(body)},
                        "delete": {"security": [{"o": []}], \(body)}}}}
            """, to: "api.json")
        #expect(squall.run("new", "x.json", "--openapi", "api.json") == .passed)
        let words = ["drill", "x.json", "--drill", "killedDuringRefresh", "--schedules", "2"]
        #expect(squall.run(words) == .passed, "\(squall.console.output)")
    }

    @Test("The report is also JSON, JUnit and a page")
    func files() throws {
        let squall = try PlayedTool()
        let words =
            ["drill", "shareD", "--json", "--junit", "out/d.xml", "--page", "out/d.html"]
            + Self.some
        #expect(squall.run(words) == .failed)
        let json = try JSONSerialization.jsonObject(with: Data(squall.console.output.utf8))
        let report = try #require(json as? [String: Any])
        #expect(report["client"] as? String == "shareD asBuilt")
        #expect((report["drills"] as? [Any])?.count == 4)
        #expect(try squall.read("out/d.xml").contains("name=\"shareD asBuilt: sign-out during"))
        #expect(try squall.read("out/d.html").hasPrefix("<!DOCTYPE html>"))
    }

    @Test(
        "squall drill refuses an unknown app, drill, server, design or choices, with a hint",
        arguments: [
            (["skrolly"], "Did you mean 'scrolly'?"),
            (["scrolly", "--drill", "expiredTokn"], "Did you mean 'expiredToken'?"),
            (["scrolly", "--server", "strikt"], "Did you mean 'strict'?"),
            (["scrolly", "--design", "refrence"], "Did you mean 'reference'?"),
            (["scrolly", "--choices", "1,x"], "numbers with commas"),
            (["scrolly", "--set", "users=1"], "is for a profile"),
            (["scrolly", "--junit", "Profiles"], "is a folder"),
        ])
    func refused(words: [String], hint: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run(["drill"] + words) == .usage)
        #expect(squall.console.errors.contains(hint), "\(squall.console.errors)")
    }
}
