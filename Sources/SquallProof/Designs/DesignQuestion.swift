import SquallApps
import SquallBackend
import SquallLab

/// A question about an app's token design, answered by putting the app through trials.
///
/// This code knows neither apps nor expected answers: every cell is measured.
public struct DesignQuestion: Sendable {
    /// The question, as the head of a row.
    public let title: String
    /// Measures the answer.
    ///
    /// - Throws: what stops a simulation.
    public let answer: @Sendable (DesignSubject) throws -> String

    /// Every question, in the order of the table.
    public static let all: [DesignQuestion] =
        [noticing, refreshes, late, dead] + kinds + [
            sends, delay, recursion, signedOutByDeath, signedOutByFailure, hangs, tooMany,
        ]

    /// The numbers of simultaneous calls in the questions about storms.
    static let storms = [1, 2, 8]

    private static let outage = Trouble.failure(status: 500)
    private static let tooManyCalls = Trouble.tooManyCalls(retryAfterSeconds: 0)

    private static let noticing = DesignQuestion(title: "notices an expired token by") {
        // If a clock notices first, a trial without a clock shows what notices a refusal.
        var blind = DesignTrial()
        blind.knowsExpiry = false
        let known = try DesignTrial().result(of: $0).triggers
        let triggers = try known + blind.result(of: $0).triggers.filter { !known.contains($0) }
        return triggers.isEmpty ? "nothing" : triggers.map(\.rawValue).joined(separator: ", ")
    }

    private static let refreshes = DesignQuestion(
        title: "refreshes for 1 / 2 / 8 calls at once"
    ) { subject in
        try storms.map { calls in
            var trial = DesignTrial()
            trial.calls = calls
            return try trial.result(of: subject).refreshesText
        }.joinedUnlessSame
    }

    private static let late = DesignQuestion(title: "… 1 on time, 1 answered late") {
        var trial = DesignTrial()
        trial.calls = 2
        trial.lastAnswerIsLate = true
        let result = try trial.result(of: $0)
        let failed = result.outcomes.count { !$0.isSuccess }
        return result.refreshesText + (failed > 0 ? ", \(failed) fails" : "")
    }

    private static let dead = DesignQuestion(
        title: "… when the refresh token is dead"
    ) { subject in
        try storms.map { calls in
            var trial = DesignTrial()
            trial.calls = calls
            trial.refresh = .refused(.signedOut)
            return try trial.result(of: subject).refreshesText
        }.joinedUnlessSame
    }

    private static let kinds: [DesignQuestion] = [
        kind(.bytes, "refreshes for a document"),
        kind(.status, "… for a deletion read by status"),
        kind(.text, "… for a deletion read as text"), kind(.upload, "… for an upload"),
        kind(.picture, "… for a picture"),
    ]

    private static func kind(_ kind: CallKind, _ title: String) -> DesignQuestion {
        DesignQuestion(title: title) { subject in
            guard subject.app.callKinds.contains(kind) else { return "–" }
            var trial = DesignTrial()
            trial.kind = kind
            return try trial.result(of: subject).refreshesText
        }
    }

    private static let sends = DesignQuestion(
        title: "sends of a call while every new token is expired"
    ) {
        let result = try DesignTrial.alwaysExpired.result(of: $0)
        if result.isEndless { return "endless" }
        return "\(result.sends)" + (result.hung > 0 ? ", hangs" : "")
    }

    private static let delay = DesignQuestion(title: "waits before it sends a call again") {
        let delay = try DesignTrial().result(of: $0).resendDelayNanoseconds
        return delay.map { $0 == 0 ? "0 s" : "\(Double($0) / 1e9) s" } ?? "–"
    }

    private static let recursion = DesignQuestion(
        title: "refreshes when the refresh itself is told of expiry"
    ) {
        var trial = DesignTrial()
        trial.refresh = .refused(.accessTokenExpired)
        return try trial.result(of: $0).refreshesText
    }

    private static let signedOutByDeath = DesignQuestion(
        title: "signs out when the refresh token is dead"
    ) {
        var trial = DesignTrial()
        trial.refresh = .refused(.signedOut)
        return try trial.result(of: $0).isSignedOut ? "yes" : "no"
    }

    private static let signedOutByFailure = DesignQuestion(
        title: "signs out when a refresh fails once (\(outage.usualStatus))"
    ) {
        var trial = DesignTrial()
        trial.refresh = .refused(outage)
        return try trial.result(of: $0).isSignedOut ? "yes" : "no"
    }

    private static let hangs = DesignQuestion(title: "hangs when") { subject in
        let kinds = [CallKind.model, .account].filter(subject.app.callKinds.contains)
        let causes = try DesignTrial.hazards.filter { hazard in
            try kinds.contains { kind in
                var trial = hazard.trial
                trial.kind = kind
                return try trial.result(of: subject).neverAnswers
            }
        }
        return causes.isEmpty ? "never" : causes.map(\.name).joined(separator: ", ")
    }

    private static let tooMany = DesignQuestion(
        title: "sends again after a refresh answered \(tooManyCalls.usualStatus)"
    ) {
        var trial = DesignTrial()
        trial.refresh = .refused(tooManyCalls)
        let result = try trial.result(of: $0)
        return "\(result.sends - 1)"
    }
}

extension DesignTrial {
    /// A trial in which tokens have expired when they arrive.
    fileprivate static var alwaysExpired: DesignTrial {
        var trial = DesignTrial()
        trial.accessLifetimeNanoseconds = 1
        return trial
    }

    /// What can make a call wait for ever, by the names in the table.
    fileprivate static var hazards: [(name: String, trial: DesignTrial)] {
        var lost = DesignTrial()
        lost.refresh = .connectionLost
        var undecodable = DesignTrial()
        undecodable.refresh = .undecodable
        var disconnected = DesignTrial()
        disconnected.losesCalls = true
        var tokenless = DesignTrial()
        tokenless.hasTokens = false
        return [
            ("expiry stays", .alwaysExpired), ("refresh lost", lost),
            ("refresh unreadable", undecodable), ("call lost", disconnected),
            ("no tokens", tokenless),
        ]
    }
}

extension [String] {
    /// The answers for several sizes, or a single one if size makes no difference.
    fileprivate var joinedUnlessSame: String {
        guard let first, allSatisfy({ $0 == first }), Int(first) == nil else {
            return joined(separator: " / ")
        }
        return first
    }
}

extension TrialResult {
    fileprivate var refreshesText: String { isEndless ? "endless" : "\(refreshes)" }

    /// Whether a call or its screen waits for ever.
    fileprivate var neverAnswers: Bool {
        hung > 0
            || outcomes.contains { outcome in
                if case .stuck = outcome { true } else { false }
            }
    }
}
