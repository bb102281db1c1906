import Foundation
import Squall
import Testing

@Suite("What the articles about drills say")
struct DrillArticleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Squall/Squall.docc").standardizedFileURL

    private func lines(of article: String) throws -> [String] {
        let data = try Data(contentsOf: Self.root.appending(path: article))
        return String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
    }

    @Test("The articles' test of a drill is compiled and passes")
    func tokens() throws {
        let service = TokenService(.bearer, routes: [.get("/posts", json: "[]")])
        let report = try drill(over: service) { device in
            let api = CarefulClient(
                base: device.url, network: device.session,
                storage: DeviceTokens(storage: device.storage))
            return DrillClient(
                signIn: { try await api.signIn($0.email, $0.password) },
                call: { try await api.get("posts") },
                signOut: { try await api.signOut() },
                isSignedIn: { await api.isSignedIn })
        }
        #expect(report.passes)
        #expect(report.cells.contains { $0.reason?.hasPrefix("needs") == true })
        let own = try Data(contentsOf: URL(filePath: #filePath))
        let shown = try lines(of: "DrillYourClient.md").drop { !$0.hasPrefix("let service") }
            .prefix { $0 != "}" }.filter { !$0.hasPrefix("@Test") }
        #expect(shown.count > 8)
        for line in shown where !String(decoding: own, as: UTF8.self).contains(line) {
            Issue.record("not compiled here: \(line)")
        }
    }

    @Test(
        "The articles' own drill and storage are compiled",
        arguments: [
            ("OwnDrillTests.swift", "extension Drill {"),
            ("DrilledClients.swift", "struct DeviceTokens: KeptTokens {"),
        ])
    func compiled(name: String, first: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        let own = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let shown = try lines(of: "DrillYourClient.md").drop { $0 != first }
            .prefix { $0 != "```" }
        #expect(shown.count > 8)
        #expect(own.contains(shown.joined(separator: "\n")))
    }

    @Test("The articles' lists of drills are those of the package")
    func lists() throws {
        let article = try lines(of: "DrillYourClient.md")
        for drill in Drill.all {
            #expect(article.contains("| \(drill.name) | \(drill.promise) |"))
        }
        let published = try lines(of: "WouldItHaveFoundMine.md")
        for rule in CarefulClient.Rule.allCases {
            let drill = try #require(Mutants.caught[rule])
            #expect(published.contains("| `\(rule.rawValue)` | \(drill.name) |"))
        }
    }
}
