import Foundation
import Testing

@testable import SquallAnswers

@Suite("The four apps at a glance")
struct AppsAtAGlanceTests {
    @Test("The table of apps has at most twenty lines, each cell as in the app's own table")
    func cells() async throws {
        let answers = try await MeasuredApps.all().map(\.answers)
        let glance = AppsAtAGlance(answers)
        let lines = [glance.headings] + glance.rows
        #expect(lines[0] == ["as built"] + DesignTable.apps + ["reference"])
        // With a line for the sentence and an empty one.
        #expect((14...17).contains(lines.count))
        let widths = lines[0].indices.map { column in lines.map { $0[column].count + 2 }.max() ?? 0
        }
        #expect(widths.reduce(0, +) <= 100)
        for line in glance.rows {
            for (place, app) in answers.map(\.designs).enumerated() {
                let row = try #require(app.rows.first { $0.question.title == line[0] })
                #expect(row.answers[0] == line[place + 1], "\(app.app): \(line[0])")
                let reference = try #require(app.designs.firstIndex(of: "reference"))
                let right = row.answers[reference]
                let isPayment = line[0].hasPrefix("charges twice")
                #expect([line[5], "–"].contains(right) || isPayment, "\(app.app): \(line[0])")
            }
        }
    }

    @Test("The article about the four apps shows the same table")
    func article() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Squall/Squall.docc/FourDevelopers.md")
            .standardizedFileURL
        let glance = try await AppsAtAGlance(MeasuredApps.all().map(\.answers))
        let table = String(markdown: glance.headings, glance.rows)
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let head = String(table.prefix { $0 != "\n" })
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            let rest = text.components(separatedBy: head)
            let behind = rest.last?.components(separatedBy: "\n\n").dropFirst() ?? []
            let renewed = rest[0] + table + "\n" + behind.joined(separator: "\n\n")
            try Data(renewed.utf8).write(to: file)
        } else {
            #expect(text.contains(table), "what it is to show:\n\(table)")
        }
    }
}

extension String {
    /// A table in Markdown, as articles show it.
    init(markdown headings: [String], _ rows: [[String]]) {
        let lines = [headings, headings.map { _ in "---" }] + rows
        self = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
