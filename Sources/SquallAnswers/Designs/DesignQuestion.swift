import SquallApps
import SquallBackend

/// A question about an app's token design, answered by putting the app through trials.
///
/// This code knows neither apps nor expected answers: every cell is measured.
struct DesignQuestion: Sendable {
    /// The question, as the head of a row.
    let title: String
    /// True for the few questions by which the apps are compared.
    private(set) var isAtAGlance = false
    /// Measures the answer.
    ///
    /// - Throws: what stops a simulation.
    let answer: @Sendable (DesignSubject) throws -> String

    /// Every question, in the order of the table.
    static let all: [DesignQuestion] =
        [noticing] + storms.map(\.atAGlance) + kinds + [sends.atAGlance, delay, recursion]
        + signOuts.map(\.atAGlance) + hangs.map(\.atAGlance) + [tooMany, chargedTwice.atAGlance]

    private var atAGlance: DesignQuestion {
        var question = self
        question.isAtAGlance = true
        return question
    }

    private static let noticing = DesignQuestion(title: "detects an expired token by") {
        // If a clock notices first, a trial without a clock shows what notices a refusal.
        let trial = try $0.tried()
        let known = trial.triggers
        let blind = try $0.tried { $0.knowsExpiry = false }.triggers
        let triggers = known + blind.filter { !known.contains($0) }
        guard !triggers.isEmpty else { return trial.refreshes > 0 ? "its own code" : "nothing" }
        return triggers.map(\.rawValue).joined(separator: ", ")
    }

    private static let storms = [
        storm("refreshes for 1 / 2 / 8 calls") { _ in },
        DesignQuestion(title: "… one response late") {
            let result = try $0.tried {
                $0.calls = 2
                $0.lastAnswerIsLate = true
            }
            let failed = result.outcomes.count { !$0.isSuccess }
            guard failed > 0 else { return result.refreshesText }
            return result.refreshesText + (failed == 1 ? ", 1 fails" : ", \(failed) fail")
        },
        storm("… when the refresh token is dead") { $0.refresh = .refused(.signedOut) },
    ]

    /// The question of how many refreshes 1, 2 and 8 simultaneous calls make.
    private static func storm(
        _ title: String, _ change: @escaping @Sendable (inout DesignTrial) -> Void
    ) -> DesignQuestion {
        DesignQuestion(title: title) { subject in
            let answers = try [1, 2, 8].map { calls in
                try subject.tried {
                    change(&$0)
                    $0.calls = calls
                }.refreshesText
            }
            return Int(answers[0]) == nil && Set(answers).count == 1
                ? answers[0] : answers.joined(separator: " / ")
        }
    }

    private static let kinds: [DesignQuestion] = [
        kind(.bytes, "refreshes for a document").atAGlance,
        kind(.status, "… for a deletion read by status"),
        kind(.text, "… for a deletion read as text"),
        kind(.upload, "… for an upload").atAGlance, kind(.picture, "… for a picture").atAGlance,
    ]

    /// The question of how many refreshes a call of a kind makes.
    private static func kind(_ kind: CallKind, _ title: String) -> DesignQuestion {
        DesignQuestion(title: title) { subject in
            guard subject.app.callKinds.contains(kind) else { return "–" }
            return try subject.tried { $0.kind = kind }.refreshesText
        }
    }

    private static let sends = DesignQuestion(
        title: "attempts if tokens stay expired"
    ) {
        let result = try $0.tried { $0.keepsExpiring() }
        if result.isEndless { return "endless" }
        return "\(result.sends)" + (result.hung > 0 ? ", hangs" : "")
    }

    private static let delay = DesignQuestion(title: "delay before a retry") {
        let delay = try $0.tried().resendDelayNanoseconds
        return delay.map { $0 == 0 ? "0 s" : "\(Double($0) / 1e9) s" } ?? "–"
    }

    private static let recursion = DesignQuestion(
        title: "refreshes if the refresh is refused as expired"
    ) { try $0.tried { $0.refresh = .refused(.accessTokenExpired) }.refreshesText }

    private static let outage = ServiceError.failure(status: 500)
    private static let tooManyCalls = ServiceError.tooManyCalls(retryAfterSeconds: 0)

    private static let signOuts: [DesignQuestion] = [
        ("signs out on a dead refresh token", ServiceError.signedOut),
        ("signs out on one \(outage.usualStatus) of a refresh", outage),
    ].map { title, error in
        DesignQuestion(title: title) {
            try $0.tried { $0.refresh = .refused(error) }.isSignedOut ? "yes" : "no"
        }
    }

    /// The questions of calls and screens that wait for ever.
    private static let hangs: [DesignQuestion] = [
        hang("hangs if the token stays expired") { $0.keepsExpiring() },
        hang("… when a refresh is lost") { $0.refresh = .lost },
        hang("… when a refresh is unreadable") { $0.refresh = .undecodable },
        hang("… when a call is lost") { $0.losesCalls = true },
        hang("… when there are no tokens") { $0.hasTokens = false },
    ]

    private static func hang(
        _ title: String, _ change: @escaping @Sendable (inout DesignTrial) -> Void
    ) -> DesignQuestion {
        DesignQuestion(title: title) { subject in
            let kinds = [CallKind.model, .account].filter(subject.app.callKinds.contains)
            let hangs = try kinds.contains { kind in
                try subject.tried {
                    change(&$0)
                    $0.kind = kind
                }.neverAnswers
            }
            return hangs ? "yes" : "no"
        }
    }

    private static let chargedTwice = DesignQuestion(
        title: "charges twice, of \(ProviderBehaviour.allCases.count) payments"
    ) { subject in
        let rows = try PaymentCourse.all(of: subject)
        return rows.isEmpty ? "–" : "\(rows.count { $0.again == .chargedTwice })"
    }

    private static let tooMany = DesignQuestion(
        title: "retries after a refresh with status \(tooManyCalls.usualStatus)"
    ) { "\(max(0, try $0.tried { $0.refresh = .refused(tooManyCalls) }.sends - 1))" }
}

extension DesignTrial {
    /// From now on every new token has expired when it arrives.
    fileprivate mutating func keepsExpiring() { accessLifetimeNanoseconds = 1 }
}

extension TrialResult {
    var refreshesText: String { isEndless ? "endless" : "\(refreshes)" }

    /// True if a call or its screen waits for ever.
    fileprivate var neverAnswers: Bool {
        hung > 0
            || outcomes.contains { outcome in
                if case .stuck = outcome { true } else { false }
            }
    }
}
