import Foundation
import SquallApps
import Testing

@testable import SquallAnswers
@testable import SquallLab

@Suite("Presets of public clients")
struct PresetTableTests {
    @Test("The page of designs shows what each preset costs, as it is measured")
    func page() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Squall/Squall.docc/WhichDesignIsMine.md")
            .standardizedFileURL
        let presets = try PresetTable()
        let table = String(
            markdown: presets.headings + ["measured"],
            presets.rows.map { ["`\($0.preset.name)`"] + $0.answers + [$0.preset.client] })
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            let old = text.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
            let head = String(table.prefix { $0 != "|" }) + "| client preset"
            guard let first = old.firstIndex(where: { $0.hasPrefix(head) }) else { return }
            let rows = old[first...].prefix(2 + ClientPreset.all.count).map { $0 + "\n" }
            let renewed = text.replacing(rows.joined(), with: table)
            try Data(renewed.utf8).write(to: file)
        } else {
            #expect(text.contains(table), "what it is to show:\n\(table)")
        }
    }

    @Test("Every app that a profile declares takes every preset, but for names of its own designs")
    func names() throws {
        let own = #""designs": [{ "name": "azure", "tokens": { "resends": 3 } }],"#
        for design in ClientPreset.all.map(\.name) {
            let text = """
                { "schemaVersion": 1, "duration": "1m",
                  "populations": [{ "app": "mine", "design": "\(design)", "users": 1,
                    "journeys": { "read": 1 } }],
                  "apps": [{ "name": "mine", \(own)
                    "screens": [{ "name": "home", "calls": [["posts"]] }],
                    "journeys": [{ "name": "read", "steps": ["home"] }] }],
                  "backend": { "service": { "form": "bearer",
                    "endpoints": [{ "name": "posts", "path": "/posts" }] } } }
                """
            let profile = try Profile.read(
                Array(text.utf8), file: "mine", vocabulary: .installed)
            let plan = try #require(profile.declaredPlans.first)
            #expect(plan.designs.map(\.name) == ["asBuilt", "azure", "reference"])
            #expect(plan.presets.contains { $0.name == "azure" } == false)
            #expect(profile.populations[0].design == design)
        }
    }
}
