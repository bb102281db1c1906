public import SquallApps
import SquallBackend
public import SquallFormat

/// The outcomes of each screen of an app, for every response that a call of it can get.
///
/// Nothing here knows an app or an expected answer: every cell is measured, by the app's own code
/// on its way to the screen.
public struct ResponseTable: Sendable {
    private let app: String
    /// The status of a call whose token has expired, and the responses to the refresh.
    private let expired: Int
    private let refreshes: [String]
    /// The cells, screen by screen.
    let cells: [Cell]

    /// A response to a call of a screen, and the outcome for its user.
    struct Cell: Sendable {
        /// The name of the screen's step.
        let screen: String
        /// The call that got the response; `nil` where the token of all of them has expired.
        let call: String?
        let response: String
        /// The label of the outcome.
        let seen: String
    }

    /// Measures an app in its original design.
    ///
    /// - Throws: what stops a simulation.
    public init(of app: AppDescription, in place: DesignPlace) throws {
        try self.init(of: app, in: place) { _ in true }
    }

    /// Measures some of an app's screens.
    ///
    /// - Throws: what stops a simulation.
    init(
        of app: AppDescription, in place: DesignPlace, where isWanted: (String) -> Bool
    ) throws {
        self.app = app.name
        let subject = DesignSubject(app, in: place)
        let transport = PhoneWorld(paying: subject, seed: 1).transport
        let ofExpiry = ResponseCase.ofExpiry(transport)
        (expired, refreshes) = (transport.status(of: .accessTokenExpired), ofExpiry.map(\.words))
        var known: Set = [ScreenScene.signIn.screen]
        cells = try subject.screens().filter { isWanted($0.scene.screen) }.flatMap { scene, calls in
            let each = calls.flatMap { call in ResponseCase.ofOneCall.map { (Optional(call), $0) } }
            let isNew = known.insert(scene.screen).inserted
            let expiry = isNew ? ofExpiry.map { (String?.none, $0) } : []
            return try (each + expiry).compactMap { call, response in
                try PhoneWorld(paying: subject, seed: scene.seed)
                    .seen(of: scene, call: call, answered: response).map {
                        Cell(screen: scene.screen, call: call, response: response.words, seen: $0)
                    }
            }
        }
    }

    /// The cells as one JSON document.
    public var json: JSON {
        let cells = cells.map { cell -> JSON in
            [
                "screen": .string(cell.screen), "call": .optional(cell.call, JSON.string),
                "response": .string(cell.response), "seen": .string(cell.seen),
            ]
        }
        return ["app": .string(app), "responses": .array(cells)]
    }

    /// The cells as a document: screens with equal outcomes are one row, and so are responses.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "App", subject: app, sentence: "what its user sees, by the server's response")
        document.isBrief = true
        document.remarks = remarks
        document.sections = groups.map { title, responses in
            let columns = [Column("response", .words), Column("the user sees", .words)]
            let rows = responses.map { [SquallFormat.Cell($0.words), .init($0.seen)] }
            return Section(title, [.table(Table(columns, rows))])
        }
        return document
    }
}

extension ResponseTable {
    /// Responses that show the same, in words.
    private typealias Answers = [(words: String, seen: String)]

    /// Remarks about what was tried, and the meanings of the labels.
    private var remarks: [String] {
        let tried = ResponseCase.ofOneCall.map(\.words).joined(separator: " · ")
        let all = StepOutcome.labels
        let kinds = all.filter { name, _ in
            cells.contains { $0.seen == name || $0.seen.hasPrefix(name + ".") }
        }
        return [
            "responses of one call: \(tried)",
            "token expired: every call of the screen is answered \(expired), then "
                + refreshes.joined(separator: " · "),
        ] + kinds.map { "\($0.name): \($0.meaning)" }
    }

    /// The calls with equal outcomes, and these outcomes.
    private var groups: [(title: String, responses: Answers)] {
        cells.split(byKey: { [$0.screen, $0.call ?? ""] })
            .grouped { cells in cells.flatMap { [$0.response, $0.seen] } }
            .map { _, alike in
                (Self.title(alike.map { ($0[0].screen, $0[0].call) }), Self.merged(alike[0]))
            }
    }

    /// The calls by their screens: `main: posts, likes2 · tab: hashtags`.
    private static func title(_ calls: [(screen: String, call: String?)]) -> String {
        guard calls[0].call != nil else {
            return "token expired: " + calls.map(\.screen).joined(separator: ", ")
        }
        return calls.split(byKey: \.screen).map { calls in
            calls[0].screen + ": " + calls.compactMap(\.call).joined(separator: ", ")
        }.joined(separator: " · ")
    }

    /// The most responses that are named beside their outcome, if they are not the only ones.
    private static let named = 3

    private static func merged(_ cells: [Cell]) -> Answers {
        var answers = cells.grouped(by: \.seen).map { seen, cells in
            (words: cells.map(\.response), seen: seen)
        }
        let most = answers.map(\.words.count).max() ?? 0
        guard most > named, let place = answers.firstIndex(where: { $0.words.count == most }) else {
            return answers.map { ($0.words.joined(separator: " · "), $0.seen) }
        }
        let rest = answers.remove(at: place)
        return answers.map { ($0.words.joined(separator: " · "), $0.seen) }
            + [(answers.isEmpty ? "all of them" : "all others", rest.seen)]
    }
}

extension DesignSubject {
    /// The seeds with which journeys are walked until every call has been seen.
    private static let seeds: ClosedRange<UInt64> = 1...8

    /// The screens of an app with their calls, the sign-in screen first; a call that only some
    /// users make is a scene of its own.
    ///
    /// - Throws: what stops a simulation.
    fileprivate func screens() throws -> [(scene: ScreenScene, calls: [String])] {
        let signIn = ScreenScene.signIn
        var found = [(signIn, try PhoneWorld(paying: self, seed: signIn.seed).callsOfSignIn())]
        for (journey, description) in app.journeys.enumerated() {
            for seed in Self.seeds {
                let calls = try PhoneWorld(paying: self, seed: seed).calls(ofJourney: journey)
                for (place, step) in description.steps.enumerated() {
                    let known = found.filter { $0.0.screen == step.name }.flatMap { $0.1 }
                    let new = calls[place].filter { !known.contains($0) }
                    guard !new.isEmpty else { continue }
                    let scene = ScreenScene(screen: step.name, step: (journey, place), seed: seed)
                    found.append((scene, new))
                }
            }
        }
        return found.map { (scene: $0.0, calls: $0.1) }
    }
}

extension Array {
    /// Runs of elements that follow each other and have the same key.
    fileprivate func split<Key: Equatable>(byKey key: (Element) -> Key) -> [[Element]] {
        reduce(into: []) { runs, element in
            if let last = runs.last?.last, key(last) == key(element) {
                runs[runs.count - 1].append(element)
            } else {
                runs.append([element])
            }
        }
    }
}
