import Foundation
import SquallFormat
@testable import SquallAnswers
@testable import SquallLab
import SquallReport
import Testing

@Suite("Markdown for a pull request")
struct MarkdownTests {
    private static func summary(
        _ settings: String = "", seed: UInt64 = 1, users: Int = 9, duration: String = "3m"
    ) throws -> RunSummary {
        let text =
            #"{"schemaVersion": 1, "seed": \#(seed), "duration": "\#(duration)", "#
            + #""populations": [{"users": \#(users), "journeys": {"browse": 1}, "#
            + #""thinkTime": "1s" \#(settings)}],"#
            + #" "backend": {"faults": [{"kind": "expireAllTokens", "at": "60s"}]},"#
            + #" "thresholds": {"hangs": ["count==0"], "refreshes": ["count<1"]}}"#
        let profile = try Profile.read(Array(text.utf8), file: "x", vocabulary: .installed)
        let options = LoadRun.Options(replayCommand: "squall run x")
        return try LoadRun(profile: profile, named: "a_b|c", options: options)
            .run { _ in .continue }.summary
    }

    @Test("The verdict, each expectation and each finding stand in it")
    func content() throws {
        let summary = try Self.summary()
        let text = MarkdownReport([summary]).text
        #expect(text.hasPrefix("## ❌ failed · a\\_b\\|c\n\n1 of 2 thresholds fails"))
        #expect(text.contains("| ✅ | hangs count==0 | 0 |\n| ❌ | refreshes count&lt;1 |"))
        #expect(!summary.findings.isEmpty)
        for finding in summary.findings {
            #expect(text.contains("- \(finding.headline.escapedForMarkdown)\n"))
        }
    }

    @Test("A row for each first figure that reads differently, and no other")
    func changes() throws {
        let (one, other) = (try Self.summary(), try Self.summary(#", "design": "reference""#))
        let text = MarkdownReport([other], since: [one]).text
        let values = [one, other].map { summary in
            Dictionary(
                Figure.all(of: summary).map { ($0.name, $0.unit.text($0.value)) },
                uniquingKeysWith: { first, _ in first })
        }
        for name in KeyMetrics.names {
            let words = KeyMetrics.words(name).trimmingPrefix("the ").escapedForMarkdown
            let isShown = text.contains("| \(words) | ")
            #expect(isShown == (values[0][name] != values[1][name]), "\(name)")
        }
        #expect(text.contains("| number of refreshes | "))
        #expect(text.contains("with the same seed"))
    }

    @Test("A baseline of other users or another time is named first, and no change is judged")
    func otherExperiment() throws {
        let one = try Self.summary(#", "design": "reference""#)
        let other = try Self.summary()
        let more = try Self.summary(#", "arriveOver": "1s""#, users: 12, duration: "2m")
        let text = MarkdownReport([more], since: [one]).text
        let place = try #require(text.range(of: "The baseline belongs to another experiment"))
        #expect(text.contains("users: 9 then, 12 now; measured time: 3m then, 2m now"))
        let table = try #require(text.range(of: "| changed since the baseline"))
        #expect(place.lowerBound < table.lowerBound)
        #expect(!text.contains("better") && !text.contains("worse"))
        let plain = MarkdownReport([other], since: [one]).text
        #expect(!plain.contains("worse") && !plain.contains("another experiment"))
        #expect(plain.contains("| was | is | change |") && plain.contains(" % |"))
        let version = MarkdownReport([other], since: [one], otherwise: ["version: 1 then, 2 now"])
        #expect(
            version.text.contains("another experiment") && version.text.contains("1 then, 2 now"))
    }

    @Test("A trend names the releases that rest on assumed values, and the values")
    func assumedTrend() throws {
        let measured = try Self.summary()
        var assumed = measured
        assumed.assumed = [
            AssumedRow("backend.server.workers", "4", effect: "capacity", change: 0.5)
        ]
        func text(_ runs: [RunSummary]) -> String {
            let releases = runs.enumerated().map { Trend.Release("v\($0)", runs: [$1]) }
            return Trend(releases, replay: "").document.text(TerminalStyle(isOn: false), width: 400)
        }
        let half = text([measured, assumed])
        #expect(half.contains("Trend of a_b|c, 2 releases: v0…v1"))
        #expect(half.contains("No test for a difference was made: of single runs it takes three"))
        #expect(half.contains("rests on 1 assumed value (backend.server.workers 4)"))
        #expect(half.contains("So it is with v1, not with the others.") && half.contains("Assumed"))
        let all = text([assumed, assumed])
        #expect(all.contains("Not measured: ") && !all.contains("So it is with"))
        #expect(!text([measured, measured]).contains("assumed"))
    }

    @Test("An equal run, another profile and another seed are told apart")
    func baseline() throws {
        let one = try Self.summary()
        #expect(MarkdownReport([one], since: [one]).text.contains("the digest is the same"))
        let later = try Self.summary(seed: 2)
        #expect(MarkdownReport([later], since: [one]).text.contains("with different seeds"))
        #expect(!MarkdownReport([one]).text.contains("baseline"))
    }

    @Test("Nothing in a text is taken for markup, and none has two lines")
    func escaping() {
        #expect("a|b <i>_x_ #1".escapedForMarkdown == "a\\|b &lt;i>\\_x\\_ \\#1")
        #expect(!"a\nb".escapedForMarkdown.contains("\n"))
    }
}
