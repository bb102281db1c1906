import SquallFormat
import SquallLab
import SquallReport

/// A client design in front of a simulated service that behaves as the probed one.
public struct DesignTrial: Sendable {
    let design: Design
    /// Refreshes for one expiry; `nil` without expiries.
    let refreshesPerExpiry: Double?
    /// Users who were signed out.
    let signOuts: Int64
    /// Steps that ended without what the user came for.
    let failedSteps: Int64
    let steps: Int64

    /// A way to handle tokens that is common in clients.
    public enum Design: String, Sendable, CaseIterable {
        case reference, late, parallel, ahead, clock, lost, lostAndAgain

        var words: String {
            switch self {
            case .reference: "reference: one at a time"
            case .late: "late refusals refresh again"
            case .parallel: "each refusal refreshes"
            case .ahead: "5s before the stated end, or refused"
            case .clock: "5s before the stated end alone"
            case .lost: "reference, 5 % lost"
            case .lostAndAgain: "lost refreshes sent again"
            }
        }

        fileprivate var goesByStatedEnd: Bool { self == .ahead || self == .clock }

        /// True where it is run over a network that loses some responses; calls fail then with any
        /// service.
        fileprivate var losesResponses: Bool { self == .lost || self == .lostAndAgain }

        fileprivate var tokens: String {
            switch self {
            case .reference, .lost: "{}"
            case .late: #"{ "refreshesLate": true }"#
            case .parallel: #"{ "singleFlight": false, "refreshesLate": true }"#
            case .ahead: #"{ "notices": ["clock", "status"], "ahead": "5s" }"#
            case .clock: #"{ "notices": ["clock"], "ahead": "5s" }"#
            case .lostAndAgain: #"{ "refreshAttempts": 3, "refreshDelay": "1s" }"#
            }
        }

        fileprivate var faults: String {
            guard losesResponses else { return "[]" }
            return """
                [{ "kind": "dropAnswer", "at": "0s", "for": "1h", "endpoints": ["refresh"],
                  "probability": 0.05, "lossNotice": "connectionLost" }]
                """
        }
    }

    /// True if every user kept the session, and saw what they came for where nothing is lost.
    var isSafe: Bool { signOuts == 0 && (failedSteps == 0 || design.losesResponses) }

    var verdict: String {
        guard isSafe else { return "unsafe" }
        return refreshesPerExpiry ?? 1 > 1.5 ? "safe, but a refresh storm" : "safe"
    }

    private static let life: Int64 = 30_000_000_000

    static let note =
        "Each was run in front of a simulated service with these rules: 20 users, 5 minutes,"
        + " access tokens of \(Units.exact(nanoseconds: life)) that are stated as wrongly as here;"
        + " in the last two 5 % of refresh responses are lost. Unsafe: users are signed out, or"
        + " calls fail."
}

extension DesignTrial {
    /// Runs a design in front of a service with the rules that were seen, and its own lives.
    ///
    /// - Throws: what a run throws.
    init(_ design: Design, _ tokens: ProbedTokens, _ rules: [(path: String, value: JSON)]) throws {
        var given = rules.map { "\($0.path)=\($0.value.plain)" }
        if tokens.refusesEarly == true { given.append("backend.service.refresh.showsAccess=true") }
        if let stated = tokens.statedLife(ofLife: Self.life) {
            given.append("backend.tokens.statedLifetime=\(Units.exact(nanoseconds: stated))")
        }
        let overrides = given.compactMap { ProfileOverride(setting: $0) }
        let profile = try Profile.read(
            Array(Self.profile(design).utf8), file: design.rawValue, vocabulary: .installed,
            overrides: overrides)
        let result = try LoadRun(
            profile: profile, named: design.rawValue, options: .init(replayCommand: "")
        ).run { _ in .continue }
        let row = result.summary.populations[0]
        self.init(
            design: design, refreshesPerExpiry: row.refreshesPerExpiry, signOuts: row.sessionsLost,
            failedSteps: row.failedSteps, steps: row.steps)
    }

    private static func profile(_ design: Design) -> String {
        """
        { "schemaVersion": 1, "duration": "5m", "drain": "30s",
          "populations": [{ "app": "mine", "users": 20, "journeys": { "read": 1 },
            "thinkTime": "2s", "away": { "uniform": ["5s", "35s"] }, "arriveOver": "20s",
            "startsSignedIn": false }],
          "apps": [{ "name": "mine", "tokens": \(design.tokens),
            "screens": [{ "name": "home", "calls": [["posts", "profile", "notes"]] },
              { "name": "rest", "calls": [["profile"]] }],
            "journeys": [{ "name": "read", "steps": ["home", "rest"] }] }],
          "backend": { "tokens": { "accessLifetime": "\(Units.exact(nanoseconds: life))" },
            "faults": \(design.faults),
            "network": { "up": "40ms", "down": "40ms" },
            "service": { "endpoints": [
              { "name": "posts", "path": "/posts" },
              { "name": "profile", "path": "/me", "serviceTime": "70ms" },
              { "name": "notes", "path": "/me/notes" }] } } }
        """
    }
}

extension ProbeReport {
    /// This report with the client designs in front of such a service, where enough is known of it.
    public func tryingDesigns(
        of all: [DesignTrial.Design] = DesignTrial.Design.allCases, isStopped: () -> Bool
    ) throws -> ProbeReport {
        guard tokens.semantics != nil, hasWorkingCall else { return self }
        var report = self
        // A client cannot go by an end that the service does not state.
        let designs = all.filter {
            !$0.goesByStatedEnd || tokens.statedLife != nil
        }
        for design in designs where !isStopped() {
            report.designs.append(try DesignTrial(design, tokens, rules))
        }
        return report
    }
}
