import Testing

@testable import SquallAnswers

@Suite("The token designs")
struct DesignTableTests {
    /// What the four designs are known to do, in the order Scrolly, 이책저책, Share.D, OOTD.
    static let known: [(question: String, answers: [String])] = [
        ("detects an expired token by", ["decoding", "decoding", "validator", "validator"]),
        (
            "refreshes for 1 / 2 / 8 calls",
            ["1 / 2 / 8", "1 / 2 / 8", "1 / 2 / 8", "1 / 2 / 8"]
        ),
        ("… one response late", ["2", "2", "2", "2, 1 fails"]),
        // Scrolly's Splash refreshes once more for each report; Share.D is asked twice for each.
        (
            "… when the refresh token is dead",
            ["2 / 4 / 16", "1 / 2 / 8", "2 / 4 / 16", "1 / 2 / 8"]
        ),
        ("refreshes for a document", ["0", "–", "–", "–"]),
        ("… for a deletion read by status", ["0", "–", "–", "–"]),
        ("… for a deletion read as text", ["–", "0", "–", "–"]),
        ("… for a picture", ["0", "0", "0", "0"]),
        ("… for an upload", ["1", "0", "0", "1"]),
        (
            "attempts if tokens stay expired",
            ["3, hangs", "endless", "endless", "endless"]
        ),
        ("delay before a retry", ["1.0 s", "0 s", "0 s", "0.001 s"]),
        (
            "refreshes if the refresh is refused as expired",
            ["endless", "endless", "endless", "endless"]
        ),
        ("signs out on a dead refresh token", ["yes", "yes", "no", "no"]),
        ("signs out on one 500 of a refresh", ["yes", "yes", "no", "no"]),
        ("hangs if the token stays expired", ["yes", "no", "no", "no"]),
        ("… when a refresh is lost", ["no", "yes", "no", "no"]),
        ("… when a refresh is unreadable", ["no", "yes", "no", "yes"]),
        ("… when a call is lost", ["no", "yes", "yes", "no"]),
        ("… when there are no tokens", ["no", "no", "no", "yes"]),
        ("retries after a refresh with status 429", ["0", "0", "0", "0"]),
        // What `PaymentTableTests` holds one by one.
        ("charges twice, of 9 payments", ["6", "5", "8", "–"]),
    ]

    /// What the reference is to do in every app that asks the question at all.
    static let reference = [
        "detects an expired token by": "validator",
        "refreshes for 1 / 2 / 8 calls": "1 / 1 / 1",
        // The refresh of the call on time; the late 419 asks for none.
        "… one response late": "1",
        "… when the refresh token is dead": "1 / 1 / 1",
        "refreshes for a document": "1",
        "… for a deletion read by status": "1",
        "… for a deletion read as text": "1",
        "… for a picture": "1",
        "… for an upload": "1",
        // Once with the old token and once with a new one.
        "attempts if tokens stay expired": "2",
        "delay before a retry": "0 s",
        "refreshes if the refresh is refused as expired": "1",
        "signs out on a dead refresh token": "yes",
        "signs out on one 500 of a refresh": "no",
        "hangs if the token stays expired": "no", "… when a refresh is lost": "no",
        "… when a refresh is unreadable": "no", "… when a call is lost": "no",
        "… when there are no tokens": "no",
        "retries after a refresh with status 429": "0",
    ]

    /// What Alamofire's own interceptor is to do otherwise: its window of five refreshes ends it.
    static let authenticationInterceptor = [
        "attempts if tokens stay expired": "6"
    ]

    static let apps = ["scrolly", "thisBookThatBook", "shareD", "ootd"]

    /// What no token design changes.
    static let payments = "charges twice, of 9 payments"

    static let cells = known.filter { $0.question != payments }.flatMap { question, answers in
        zip(apps, answers).flatMap { app, answer in
            let ideal = answer == "–" ? answer : reference[question] ?? "unknown"
            let library = answer == "–" ? answer : authenticationInterceptor[question] ?? ideal
            return [
                Cell(app: app, design: "asBuilt", question: question, answer: answer),
                Cell(app: app, design: "reference", question: question, answer: ideal),
                Cell(
                    app: app, design: "authenticationInterceptor", question: question,
                    answer: library),
            ]
        }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let app, design, question, answer: String
        var testDescription: String { "\(app) \(design) \(question): \(answer)" }
    }

    @Test(
        "An app as built behaves as its code does, and on the reference design correctly",
        arguments: cells)
    func cell(cell: Cell) async throws {
        let measured = try await MeasuredApps.app(named: cell.app).answers.designs
        #expect(try measured.answer(cell.design, cell.question) == cell.answer)
    }

    @Test("No token design changes which users an app charges twice", arguments: apps)
    func chargedTwice(name: String) async throws {
        let measured = try await MeasuredApps.app(named: name).answers.designs
        let known = try #require(Self.known.last { $0.question == Self.payments }).answers
        for design in ["asBuilt", "reference"] {
            let answer = try measured.answer(design, Self.payments)
            #expect(answer == known[Self.apps.firstIndex(of: name) ?? 0], "\(design)")
        }
    }

    @Test("No question goes without a known answer")
    func complete() {
        #expect(Set(DesignQuestion.all.map(\.title)) == Set(Self.known.map(\.question)))
    }
}

extension DesignTable {
    /// A design's answer to the question of that title.
    fileprivate func answer(_ design: String, _ title: String) throws -> String {
        let column = try #require(designs.firstIndex(of: design))
        return try #require(rows.first { $0.question.title == title }).answers[column]
    }
}
