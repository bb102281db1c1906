import Foundation
import SquallApps
import Testing

@testable import SquallAnswers

/// What the four developers went through, and what it cost.
@Suite("The developers' stories")
struct StoryTableTests {
    /// A story's costs before and after: served, refreshes, attempts, sign-ins.
    struct Known: Sendable, CustomTestStringConvertible {
        let title: String
        let before, after: [Int]
        var testDescription: String { title }
    }

    static let known = [
        // An episode on a good token and one on an expired one: 28 calls each, then 8 each.
        Known(title: "main screens never die", before: [1, 26, 82, 0], after: [1, 6, 22, 0]),
        Known(title: "a document never refreshes", before: [0, 0, 3, 0], after: [3, 3, 6, 0]),
        // Five taps of seven calls; uploads and deletions refreshed then, and never since.
        Known(
            title: "a refresh in each method, unheard", before: [0, 7, 7, 0],
            after: [3, 5, 14, 1]),
        Known(
            title: "a refresh in each method, by recursion", before: [4, 7, 14, 0],
            after: [3, 5, 14, 1]),
        Known(title: "pictures without key and token", before: [0, 0, 3, 0], after: [3, 0, 1, 0]),
        Known(
            title: "buttons without check and throttle", before: [0, 0, 9, 0],
            after: [1, 0, 3, 0]),
        Known(
            title: "a refresh with a dropped result", before: [0, 3, 3, 0],
            after: [3, 3, 6, 0]),
        Known(
            title: "an error ends the button's stream", before: [0, 0, 1, 0],
            after: [1, 0, 2, 0]),
    ]

    private func row(_ title: String) async throws -> StoryResult {
        let stories = try await MeasuredApps.all().flatMap(\.stories)
        return try #require(stories.first { $0.story.title == title })
    }

    @Test("A story's cost is that of its scene on either design", arguments: known)
    func cost(known: Known) async throws {
        let costs = try await row(known.title).costs.map {
            [$0.served, $0.refreshes, $0.attempts, $0.signIns]
        }
        #expect(costs == [known.before, known.after])
    }

    @Test("Without any refresh an expiry is a sign-in; under a wrong key a loop of two calls")
    func signIns() async throws {
        let costs = try await row("an expiry is ignored").costs
        #expect(costs[0].served == 3 && costs[0].signIns == 3 && costs[0].refreshes == 0)
        // Half a minute of patience, and 90 ms for a call and a refresh, three times.
        #expect((990...1_002).contains(costs[1].refreshes) && costs[1].served == 0)
        #expect(costs[1].waitedNanoseconds >= 90_000_000_000)
    }

    @Test("The document on the developers' stories has the lines that are measured")
    func document() async throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Squall/Squall.docc/FourDevelopers.md")
            .standardizedFileURL
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        for name in DesignTableTests.apps {
            for row in try await MeasuredApps.app(named: name).stories {
                let designs = [row.story.before, row.story.after].map { "`\($0)`" }.joined(
                    separator: " → ")
                let figures = row.cells[1...4].joined(separator: " | ")
                #expect(text.contains("| \(row.story.title) | \(designs) | \(figures) | "))
            }
        }
    }

    @Test("Every story begins and ends with designs of its app, and every app has one")
    func complete() throws {
        let apps = AppRegistry.all
        #expect(apps.filter { !$0.stories.isEmpty }.map(\.name) == DesignTableTests.apps)
        let told = Set(apps.flatMap { $0.stories.flatMap { [$0.before, $0.after] } })
        #expect(told.isSubset(of: apps.flatMap(\.designs)))
        // Each design that an app does not share with all others is in a story.
        let own = try DesignTableTests.apps.flatMap {
            try #require(AppRegistry.app(named: $0)).designs
        }
        #expect(Set(own).subtracting(told) == ["authenticationInterceptor"])
    }
}
