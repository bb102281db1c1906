import SquallFormat
import Testing

@testable import SquallAnswers

@Suite("What the user sees, by the server's response")
struct ResponseTableTests {
    private static func cells(
        _ name: String, _ screen: String
    ) async throws -> [ResponseTable.Cell] {
        try await MeasuredApps.responses(of: name).cells.filter { $0.screen == screen }
    }

    /// Screens and calls, and what the apps' own error types and screens make of statuses.
    static let known: [(app: String, screen: String, call: String?, seen: [String: String])] = [
        (
            "scrolly", "main", "posts",
            [
                "401": "toast.invalidToken", "404": "toast.clientError",
                "409": "toast.validationFaild", "429": "toast.tooManyRequest.noText",
                "503": "toast.serverError", "no response": "toast.networkError",
            ]
        ),
        // The comment's answer is not looked at.
        ("scrolly", "comment", "createComment", ["400": "missing.comment"]),
        // A document never refreshes: the only toast of an expired token.
        (
            "scrolly", "episode", nil,
            ["refresh 200": "toast.expiredToken", "refresh 418": "loggedOut"]
        ),
        (
            "thisBookThatBook", "signIn", "login",
            [
                "400": "toast.loginEmptyData", "401": "toast.loginInvalidData",
                "403": "toast.default", "no response": "stuck.login",
            ]
        ),
        ("thisBookThatBook", "editProfile", "editProfile", ["409": "toast.existNickname"]),
        (
            "thisBookThatBook", "editProfile", nil,
            ["refresh 200": "loggedOut", "refresh 418": "loggedOut"]
        ),
        (
            "thisBookThatBook", "pay", nil,
            ["refresh 200": "charged", "no response to the refresh": "waits for ever"]
        ),
        (
            "shareD", "ask", "createPost",
            ["401": "toast.unauthorized", "410": "toast.missingPost", "420": "toast.unknown"]
        ),
        (
            "shareD", "community", nil,
            ["refresh 200": "rendered", "refresh 418": "missing.community"]
        ),
        (
            "ootd", "join", "validateEmail",
            ["400": "toast.validateEmail.badRequest", "401": "toast.unauthorized.noText"]
        ),
        (
            "ootd", "post", "createPost",
            ["403": "missing.createPost.forbidden", "410": "missing.unknown"]
        ),
    ]

    @Test("A status shows on a screen what the app's own code shows", arguments: known.indices)
    func shown(index: Int) async throws {
        let known = Self.known[index]
        let cells = try await Self.cells(known.app, known.screen).filter { $0.call == known.call }
        #expect(cells.count >= 5)
        for (response, seen) in known.seen.sorted(by: { $0.key < $1.key }) {
            #expect(cells.first { $0.response == response }?.seen == seen, "\(response)")
        }
    }

    @Test("A screen whose calls need no token has no row about its expiry")
    func open() async throws {
        let cells = try await Self.cells("ootd", "join")
        #expect(!cells.isEmpty && cells.allSatisfy { $0.call != nil })
    }

    @Test("Screens that show the same are told together, and responses of a kind as all others")
    func document() async throws {
        let text = try await MeasuredApps.responses(of: "ootd").document.text(
            TerminalStyle(isOn: false))
        #expect(text.contains("feed: posts · scroll: posts\n"))
        #expect(text.contains("\ntoken expired: feed, scroll\n"))
        #expect(text.contains(#/  all others +missing\.unknown\n/#))
        #expect(!text.contains("…"))
    }
}
