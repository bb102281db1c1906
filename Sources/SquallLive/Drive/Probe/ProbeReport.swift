import SquallBackend
public import SquallFormat

/// What a probe found out, with its evidence.
public struct ProbeReport: Sendable {
    /// The address of the service.
    public let target: String
    /// The behaviour of its tokens.
    public let tokens: ProbedTokens
    /// The calls by which it was asked.
    public let calls: TokenCalls
    let facts: [ProbeFact]
    /// True if a call with a new access token worked: no design is judged otherwise.
    let hasWorkingCall: Bool
    /// The service of those known by name that it is most like; `nil` for none.
    let nearest: NearestService?
    let remarks: [String]
    let requests: Int64
    let nanoseconds: Int64
    /// True if it was interrupted: some questions may be open for that reason alone.
    let wasStopped: Bool
    /// The reason for which it ended before anything was found out; `nil` where something was.
    public let failure: (reason: String, isUnreachable: Bool)?
    /// The client designs in front of such a service; empty where too little is known of it.
    var designs: [DesignTrial] = []
    /// The server of `squall drill` that treats refresh tokens most like it; `nil` where too little
    /// is known of it.
    public var drillServer: String?

    init(_ probe: TokenProbe, _ end: ProbeEnd?, requests: Int64, took nanoseconds: Int64) {
        (target, tokens, calls) = (probe.target.text, probe.tokens, probe.calls)
        hasWorkingCall = probe.hasWorkingCall
        nearest = NearestService(probe.tokens, probe.calls)
        remarks = probe.remarks + probe.calls.guesses.map { "Guessed: \($0)." }
        (self.requests, self.nanoseconds) = (requests, nanoseconds)
        facts = ProbeQuestion.allCases.compactMap { probe.facts[$0] }
        wasStopped = end == .stopped
        if case .failed(let reason) = end, probe.facts[.signIn]?.answer == nil {
            failure = (reason, probe.isUnreachable)
        } else {
            failure = nil
        }
    }

    /// The number of questions that have an answer.
    var known: Int { facts.count { $0.answer != nil } }

    /// The answer to a question; `nil` where it is not known.
    func answer(to question: ProbeQuestion) -> String? {
        facts.first { $0.question == question }?.answer
    }
}

extension ProbeReport {
    /// The report.
    public var document: AnswerDocument {
        var document = AnswerDocument(kind: "Probe", subject: target, sentence: sentence)
        if wasStopped { document.verdict = .partial }
        document.remarks = remarks
        document.facts = [
            ("requests", Units.grouped(requests)),
            ("time", Units.approximate(nanoseconds: nanoseconds)),
            ("known", "\(known) of \(Units.counted(facts.count, "question"))"),
        ]
        if let nearest { document.facts.append(("behaves like", nearest.words)) }
        if let drillServer {
            let option = "squall drill --server \(drillServer)"
            document.facts.append(("nearest server of drills", "\(drillServer) (\(option))"))
        }
        document.sections = [
            Section(
                "Behaviour",
                [.entries(facts.map { Entry($0.question.words, $0.answer ?? "not known") })]),
            Section(
                "Evidence",
                note: "A1, A2, … are access tokens, R1, R2, … refresh tokens, in the order in"
                    + " which they came.",
                [.points(facts.map(\.point))]),
            Section(
                "Simulated client designs in front of it", note: DesignTrial.note,
                designs.isEmpty && !hasWorkingCall
                    ? [.sentence(Self.unjudged)]
                    : [.table(designTable)]
                        + (designs.isEmpty ? [] : [.sentence(DesignTrial.note)])),
        ]
        return document
    }

    private static let unjudged =
        "Not judged: no call with a new access token worked, so nothing shows an expiry."

    private var designTable: Table {
        Table(
            designs.map { trial in
                [
                    Column("design", .words, "A client's token design.")(trial.design.words),
                    Column("verdict", .words, "Whether users keep their sessions.")(
                        trial.verdict, isGood: trial.isSafe),
                    Column("refreshes/expiry", .number, "1 is ideal.")(
                        trial.refreshesPerExpiry),
                    Column("sign-outs", .count, "Users who were signed out.")(trial.signOuts),
                    Column("failed steps", .words, "Steps without what the user came for.")(
                        "\(Units.grouped(trial.failedSteps)) of \(Units.grouped(trial.steps))",
                        Double(trial.failedSteps)),
                ]
            })
    }

    private var sentence: String {
        guard let isRotating = tokens.isRotating else {
            let reason = facts.first { $0.question == .rotation }?.evidence.first
            return "What a refresh does is not known: \(reason ?? "it was not asked")."
        }
        var parts = [
            tokens.replacedAt.map {
                "A refresh token is replaced when it is old (at"
                    + " \(Units.approximate(nanoseconds: $0))), and stays the same before"
            }
                ?? (isRotating
                    ? "Refresh tokens rotate"
                    : "A refresh token stays the same and is accepted again")
        ]
        if let most = tokens.refreshesMax, most > 1 {
            parts = ["No client keeps a session: it is over after \(most) refreshes"]
        }
        if let most = tokens.usesMax { parts.append("a token is good \(most) times") }
        if tokens.semantics == .once {
            parts = [
                "No client is safe: a refresh token is good once and nothing comes in its place, so"
                    + " every session ends at its second refresh"
            ]
        }
        if tokens.semantics == .rotatingCoexist {
            parts.append("used ones stay good as long as was tried, or to their own end")
        } else if isRotating, tokens.usesMax == nil {
            switch (tokens.reuse, tokens.revokesFamily, tokens.leeway) {
            case (.nothing, true, _): parts.append("reuse revokes the session")
            case (.nothing, false, _): parts.append("reuse is refused and changes nothing")
            case (.untilUsed, _, _):
                parts.append("a used one is accepted until what it brought is used")
            case (.another, _, let leeway?), (.same, _, let leeway?):
                let tried = Units.approximate(nanoseconds: leeway.accepted)
                let limit = leeway.limit.map { "for \(Units.approximate(nanoseconds: $0))" }
                parts.append(
                    "a used one is accepted \(limit ?? "still after \(tried), the longest tried")")
            case (.another, _, nil), (.same, _, nil):
                parts.append("a used one is accepted; for how long is not known")
            default: parts.append("what reuse does is not known")
            }
        }
        if let life = answer(to: .accessLife) {
            parts.append("access tokens live \(life.prefix { $0 != "(" }.trimmed)")
        }
        return parts.joined(separator: "; ") + "."
    }
}

extension ProbeFact {
    fileprivate var point: Point {
        Point(
            head: "\(question.words): \(answer ?? "not known")",
            detail: evidence.joined(separator: " · "))
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension ProbeReport {
    /// The report.
    public var json: JSON {
        [
            "target": .string(target), "requests": .integer(requests),
            "seconds": .number(Double(nanoseconds) / 1e9), "partial": .bool(wasStopped),
            "remarks": .array(remarks.map(JSON.string)),
            "facts": .object(
                Dictionary(uniqueKeysWithValues: facts.map { ($0.question.rawValue, $0.json) })),
            "settings": .object(
                Dictionary(uniqueKeysWithValues: settings.map { ($0.path, $0.value) })),
            "designs": .array(designs.map(\.json)),
            "drillServer": .optional(drillServer, JSON.string),
            "service": .optional(nearest) { $0.json },
        ]
    }
}

extension ProbeFact {
    fileprivate var json: JSON {
        [
            "question": .string(question.words), "response": .optional(answer, JSON.string),
            "evidence": .array(answer == nil ? [] : evidence.map(JSON.string)),
            "notKnown": .optional(answer == nil ? evidence.first : nil, JSON.string),
        ]
    }
}

extension DesignTrial {
    fileprivate var json: JSON {
        [
            "design": .string(design.rawValue), "safe": .bool(isSafe),
            "refreshesPerExpiry": .optional(refreshesPerExpiry, JSON.number),
            "signOuts": .integer(signOuts), "failedSteps": .integer(failedSteps),
            "steps": .integer(steps),
        ]
    }
}
