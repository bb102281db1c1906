import Foundation
import SquallFormat
import Testing

@testable import SquallReport

@Suite("Reading summary.json back")
struct ReadingBackTests {
    @Test("A summary reads back as it was written, to the last member")
    func same() throws {
        for summary in [try RunSummary.sample { $0.fill() }, .empty] {
            let text = JSONDocument.text(summary)
            #expect(try JSONDocument.text(Self.read(text)) == text)
        }
    }

    @Test(
        "A name that is missing, misspelt or unknown, and a wrong type, are errors that say where",
        arguments: [
            ("\"verdict\" :", "\"verdct\" :", "/verdict is missing; is 'verdct' meant for it?"),
            ("\"verdict\" : \"failed\"", "\"verdict\" : \"fine\"", "/verdict: "),
            (
                "\"expiries\" : 25", "\"expiries\" : true",
                "/refreshes/counts/expiries must be a whole"
            ),
            (
                "\"workers\" : 4", "\"workers\" : \"4\"",
                "/server/workers must be a whole number"
            ),
            ("\"workers\" : 4", "\"workers\" : null", "/server/workers must be a whole number"),
            ("\"seed\" : 42", "\"seed\" : 42, \"sed\" : 1", "/sed is not known here. Did you mean"),
            (
                "\"held\" : 3,", "\"held\" : 3, \"hold\" : 3,",
                "/populations/0/peaks/0/hold is not known here. Did you mean 'held'?"
            ),
            (
                "\"schemaVersion\" : 6", "\"schemaVersion\" : 5",
                "this squall reads version 6, got 5; use the squall that wrote"
            ),
            ("\"digest\" : \"0123", "\"digest\" : \"xyz", "sixteen hexadecimal digits"),
            ("\"wastedShare\" :", "\"wasted\" :", "/retries/wastedShare is missing"),
            ("\"seed\" : 42", "\"seed\" 42", "expected ':'"),
        ])
    func refused(old: String, new: String, problem: String) throws {
        let text = JSONDocument.text(try RunSummary.sample { $0.fill() })
        try #require(text.contains(old))
        let error = try #require(throws: FileSyntaxError.self) {
            try Self.read(text.replacing(old, with: new, maxReplacements: 1))
        }
        #expect(error.problem.contains(problem), "\(error)")
        #expect(error.line >= 1)
    }

    @Test("Each member of a document is needed: without any one of them it is refused")
    func complete() throws {
        let text = JSONDocument.text(RunSummary.made { $0.fill() })
        let names = Set(text.matches(of: /"([A-Za-z0-9_]+)" :/).map { String($0.1) })
        let tags = Set(TagKey.allCases.map(\.rawValue))
        for name in names.subtracting(tags).sorted() {
            let broken = text.replacing("\"\(name)\" :", with: "\"?\" :", maxReplacements: 1)
            #expect(throws: FileSyntaxError.self, "\(name)") { try Self.read(broken) }
        }
    }

    @Test(
        "A document that is no summary is refused", arguments: [#"{"a": 1}"#, "[]", "{}", "1", ""])
    func foreign(text: String) {
        #expect(throws: FileSyntaxError.self) { try Self.read(text) }
    }

    @Test("A sum over load generators has each member, but what is of one part or of the profile")
    func summed() throws {
        let part = try SchemaProbe.probe(RunSummary.self).value
        let series = TimeSeries(columns: [], intervalNanoseconds: 1_000_000_000)
        let sum = Self.members(of: RunSummary(adding: [part, part], Metrics(), series))
        let (whole, none) = (Self.members(of: part), Self.members(of: RunSummary(of: Metrics())))
        let left = whole.keys.filter { sum[$0] == none[$0] && whole[$0] != none[$0] }.sorted()
        #expect(
            left == [
                "_server", "answer", "endpoints", "expiredSteps", "expiries", "faults", "findings",
                "journeys", "metrics", "pairs", "readings", "selfChecks", "settling", "steps",
                "thresholds", "verdict",
            ])
    }

    private static func members(of summary: RunSummary) -> [String: String] {
        let members = Mirror(reflecting: summary).children.compactMap { name, value in
            (value as? any Encodable).map { (name ?? "", JSONDocument.line($0)) }
        }
        return Dictionary(uniqueKeysWithValues: members)
    }

    private static func read(_ text: String) throws -> RunSummary {
        try JSONDocument.read(RunSummary.self, from: Data(text.utf8))
    }
}
