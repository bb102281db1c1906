import Foundation
import Testing

@testable import SquallFormat

@Suite("Documents that are read back")
struct JSONDocumentTests {
    private struct Shelf: Codable, Hashable {
        var title: String
        @OrNull var room: Double?
        var labels: [String: Int]
        var books: [Book]
    }

    private struct Book: Codable, Hashable {
        var isNew: Bool
        var pages: Int
    }

    @Test("A written document reads back, and an absent value is written as null")
    func roundTrip() throws {
        for room in [nil, 2.5] {
            let shelf = Shelf(
                title: "x", room: room, labels: ["a": 1], books: [Book(isNew: true, pages: 3)])
            let text = JSONDocument.text(shelf)
            #expect(text.contains(#""room" : "# + (room.map { "\($0)" } ?? "null")))
            #expect(try JSONDocument.read(Shelf.self, from: Data(text.utf8)) == shelf)
        }
    }

    @Test(
        "A wrong value in a document is reported with its line",
        arguments: [
            (#""x""#, "5", 2, "must be a text"), (#""room": null,"#, "", 1, "is missing"),
            ("{}", "[]", 4, "must be an object"), ("4}", #""four"}"#, 7, "must be a whole number"),
            ("false", "1", 7, "must be true or false"), ("4}", "4.5}", 1, "the document: "),
            ("4}", "1e30}", 7, "which no run comes to"),
            (#""isNew": false"#, #""isnew": false"#, 7, "is missing; is 'isnew' meant for it?"),
            ("4}", #"4, "page": 1}"#, 7, "is not known here. Did you mean 'pages'?"),
        ])
    func mistakes(part: String, wrong: String, line: Int, problem: String) throws {
        let text = """
            {
            "title": "x",
            "room": null,
            "labels": {},
            "books": [
            {"isNew": true, "pages": 3},
            {"isNew": false, "pages": 4}
            ]
            }
            """
        _ = try JSONDocument.read(Shelf.self, from: Data(text.utf8))
        let error = try #require(throws: FileSyntaxError.self) {
            try JSONDocument.read(
                Shelf.self, from: Data(text.replacing(part, with: wrong).utf8))
        }
        #expect(error.line == line && error.problem.contains(problem), "\(error)")
    }
}
