import Apps
import Testing

@testable import Lab

@Suite("The designs as built")
struct DesignTableTests {
    /// What the four designs are known to do, in the order Scrolly, 이책저책, Share.D, OOTD.
    static let known: [(question: String, answers: [String])] = [
        ("notices an expired token by", ["decoding", "decoding", "validator", "validator"]),
        (
            "refreshes for 1 / 2 / 8 calls at once",
            ["1 / 2 / 8", "1 / 2 / 8", "1 / 2 / 8", "1 / 2 / 8"]
        ),
        ("… 1 on time, 1 answered late", ["2", "2", "2", "2, 1 fails"]),
        // Scrolly's Splash refreshes once more for each report; Share.D is asked twice for each.
        (
            "… when the refresh token is dead",
            ["2 / 4 / 16", "1 / 2 / 8", "2 / 4 / 16", "1 / 2 / 8"]
        ),
        ("refreshes for a document", ["0", "–", "–", "–"]),
        ("… for a deletion read by status", ["0", "–", "–", "–"]),
        ("… for a deletion read as text", ["–", "0", "–", "–"]),
        ("… for a picture", ["0", "0", "0", "–"]),
        ("… for an upload", ["1", "0", "0", "1"]),
        (
            "sends of a call while every new token is expired",
            ["3, hangs", "endless", "endless", "endless"]
        ),
        ("waits before it sends a call again", ["1.0 s", "0 s", "0 s", "0.001 s"]),
        (
            "refreshes when the refresh is answered 419",
            ["endless", "endless", "endless", "endless"]
        ),
        ("signs out when the refresh token is dead", ["yes", "yes", "no", "no"]),
        ("signs out when a refresh fails once (500)", ["yes", "yes", "no", "no"]),
        (
            "hangs when",
            [
                "419 stays", "refresh lost, refresh unreadable, call lost", "call lost",
                "refresh unreadable, no tokens",
            ]
        ),
        ("sends again after a refresh answered 429", ["0", "0", "0", "0"]),
    ]

    static let cells = known.flatMap { question, answers in
        zip(["scrolly", "thisBookThatBook", "shareD", "ootd"], answers).map { app, answer in
            Cell(app: app, question: question, answer: answer)
        }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let app, question, answer: String
        var testDescription: String { "\(app) \(question): \(answer)" }
    }

    @Test("Each design does what the app's code was seen to do", arguments: cells)
    func cell(cell: Cell) throws {
        let app = try #require(AppCatalogue.app(named: cell.app))
        let question = try #require(DesignQuestion.all.first { $0.title == cell.question })
        #expect(try question.answer(app, "asBuilt") == cell.answer)
    }

    @Test("No question goes without a known answer")
    func complete() {
        #expect(Set(DesignQuestion.all.map(\.title)) == Set(Self.known.map(\.question)))
    }
}
