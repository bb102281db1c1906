import SquallBackend
public import SquallFormat
import SquallLab

/// The cost of expiring tokens with the token design of each public client: a trial for each cell.
public struct PresetTable: Sendable {
    let rows: [(preset: ClientPreset, answers: [String])]

    /// The word that asks for the table, where names of apps stand.
    public static let word = "presets"

    /// Puts every preset through every trial, with a service of OAuth 2.0.
    ///
    /// - Throws: what stops a simulation.
    public init(stopping isStopped: @escaping @Sendable () -> Bool = { false }) throws {
        let profile = try Profile.read(
            Array(Self.profile.utf8), file: "client presets", vocabulary: .installed)
        guard let app = profile.declaredApps.first else {
            preconditionFailure("the profile of the presets declares no app")
        }
        let place = DesignPlace(profile).stopping(when: isStopped)
        rows = try ClientPreset.all.map { preset in
            let subject = DesignSubject(app, design: preset.name, in: place)
            return (preset, try Self.trials.map { try Self.refreshes(of: subject, $0.change) })
        }
    }

    private typealias Trial = (
        heading: String, change: @Sendable (inout DesignTrial) -> Void
    )

    /// A life that no client's window is as long as, and one that is shorter than nearly all.
    private static let (long, short) = (Span.hour, 5 * Span.second)

    private static let trials: [Trial] = [
        ("one end", { $0.accessLifetimeNanoseconds = long }),
        ("token of 5 s", { $0.accessLifetimeNanoseconds = short }),
        (
            "refresh 503",
            {
                $0.accessLifetimeNanoseconds = long
                $0.refresh = .status(503)
            }
        ),
        (
            "dead token",
            {
                $0.accessLifetimeNanoseconds = long
                $0.refresh = .refused(.signedOut)
            }
        ),
        (
            "a 401",
            {
                $0.accessLifetimeNanoseconds = long
                $0.knowsExpiry = false
            }
        ),
    ]

    /// The number of refreshes of one call, and of eight at once.
    private static func refreshes(
        of subject: DesignSubject, _ change: (inout DesignTrial) -> Void
    ) throws -> String {
        try [1, 8].map { calls in
            try subject.tried {
                change(&$0)
                $0.calls = calls
            }.refreshesText
        }.joined(separator: " / ")
    }

    private static let profile = """
        { "schemaVersion": 1, "duration": "1m",
          "populations": [{ "app": "client", "users": 1, "journeys": { "read": 1 } }],
          "apps": [{ "name": "client",
            "screens": [{ "name": "home", "calls": [["posts"]] }],
            "journeys": [{ "name": "read", "steps": ["home"] }] }],
          "backend": { "service": { "form": "bearer",
            "endpoints": [{ "name": "posts", "path": "/posts" }] } } }
        """

    var headings: [String] { ["client preset"] + Self.trials.map(\.heading) }

    /// The table as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Client presets", subject: "",
            sentence:
                "Refreshes of 1 call / of 8 calls at once whose token has ended: by the clock, or"
                + " told by a 401. Give one to an app that a profile declares: squall run"
                + " my-api.json --set 'populations[0].design=google-auth'. --json has their"
                + " settings and sources.")
        document.isBrief = true
        let costs = rows.map { [$0.preset.name] + $0.answers }
        let clients = rows.map { [$0.preset.name, $0.preset.client] }
        document.sections = [
            Section("", [.table(Table(ofWords: headings, costs))]),
            Section(
                "Measured libraries",
                [.table(Table(ofWords: ["client preset", "library"], clients))]),
        ]
        return document
    }

    /// The table as JSON, with the settings of each preset.
    public var json: JSON {
        let presets = rows.map { row -> JSON in
            let costs = zip(Self.trials, row.answers).map { trial, answer -> JSON in
                ["case": .string(trial.heading), "refreshes": .string(answer)]
            }
            return [
                "name": .string(row.preset.name), "client": .string(row.preset.client),
                "source": .string(row.preset.source), "tokens": .string(row.preset.tokens),
                "costs": .array(costs),
            ]
        }
        return ["presets": .array(presets)]
    }
}
