import Foundation
@testable import SquallAnswers
@testable import SquallLab
import Testing

@Suite("The four token designs, declared")
struct DeclaredDesignTests {
    /// Each app's code, and the profile that declares it.
    static let pairs = [
        ("scrolly", "scrolly-declared"), ("thisBookThatBook", "book-declared"),
        ("shareD", "gift-declared"), ("ootd", "outfit-declared"),
    ]

    /// Every question but that about payments, which no declared service takes.
    static let cells = pairs.flatMap { app, file in
        DesignQuestion.all.filter { !$0.title.hasPrefix("charges twice") }.map {
            Cell(app: app, file: file, question: $0.title)
        }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let app, file, question: String
        var testDescription: String { "\(app) \(question)" }
    }

    static func profile(_ name: String) throws -> Profile {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Profiles/declared").standardizedFileURL
        let bytes = try Data(contentsOf: folder.appending(path: name + ".json"))
        return try Profile.read(Array(bytes), file: name, vocabulary: .installed)
    }

    @Test(
        "A declared design answers every question as the app's code is known to, cell by cell",
        arguments: cells)
    func cell(cell: Cell) throws {
        // The same table that the code is held against.
        let known = try #require(DesignTableTests.known.first { $0.question == cell.question })
        let column = try #require(DesignTableTests.apps.firstIndex(of: cell.app))
        #expect(try answer(cell.file, "asBuilt", cell.question) == known.answers[column])
    }

    @Test(
        "The reference that every declared app has is the right one",
        arguments: cells.filter { $0.app == "scrolly" })
    func reference(cell: Cell) throws {
        let known = try #require(DesignTableTests.known.first { $0.question == cell.question })
        let ideal = known.answers[0] == "–" ? "–" : DesignTableTests.reference[cell.question]
        #expect(try answer(cell.file, "reference", cell.question) == ideal)
    }

    private func answer(_ file: String, _ design: String, _ title: String) throws -> String {
        let question = try #require(DesignQuestion.all.first { $0.title == title })
        let profile = try Self.profile(file)
        let app = try #require(profile.declaredApps.first)
        return try question.answer(DesignSubject(app, design: design, in: DesignPlace(profile)))
    }
}
