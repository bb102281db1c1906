extension Metric {
    /// What the metric is called, how it adds up, and what it says.
    public var definition: Definition {
        switch self {
        case .auditFindings:
            Definition(
                name: "audit_findings", kind: .counter, unit: .count,
                tagKeys: [.app, .cause, .design],
                summary: "Things that are wrong although no call failed, by their kind.")
        case .expiredAnswers:
            Definition(
                name: "expired_answers", kind: .counter, unit: .count,
                tagKeys: [.app, .design, .endpoint, .journey, .step],
                summary: "Answers that said the access token had expired (419).")
        case .hangs:
            Definition(
                name: "hangs", kind: .counter, unit: .count, tagKeys: Metric.ofStep,
                summary: "Steps that never ended and were given up when the user's patience did.")
        case .items:
            Definition(
                name: "items", kind: .counter, unit: .count, tagKeys: [.app, .endpoint],
                summary: "Items of lists that arrived in pages.")
        case .journeyDelay:
            Definition(
                name: "journey_delay", kind: .trend, unit: .nanoseconds, tagKeys: [.app],
                summary: "How late journeys began whose beginning was planned: nobody was free.")
        case .journeys:
            Definition(
                name: "journeys", kind: .counter, unit: .count, tagKeys: [.app, .journey],
                summary: "Journeys that users began.")
        case .logicalRequests:
            Definition(
                name: "logical_requests", kind: .counter, unit: .count,
                tagKeys: [.app, .endpoint],
                summary: "Calls made by app code, each counted once however often it was sent.")
        case .pages:
            Definition(
                name: "pages", kind: .counter, unit: .count, tagKeys: [.app, .endpoint],
                summary: "Pages of lists that arrived.")
        case .payments:
            Definition(
                name: "payments", kind: .counter, unit: .count, tagKeys: [.app, .status],
                summary:
                    "Visits to the payment page by their end: booked, unbooked, cancelled, refused."
            )
        case .refreshWait:
            Definition(
                name: "refresh_wait", kind: .trend, unit: .nanoseconds, tagKeys: [.app],
                summary: "Time from a request's expired answer (419) to its next attempt or end.")
        case .refreshes:
            Definition(
                name: "refreshes", kind: .counter, unit: .count,
                tagKeys: [.app, .cause, .design, .journey, .step],
                summary: "Token refreshes sent, by the endpoint whose answer caused them.")
        case .refreshesPerExpiredStep:
            Definition(
                name: "refreshes_per_expired_step", kind: .ratio, unit: .ratio,
                tagKeys: Metric.ofStep,
                summary: "Refreshes for each step that met an expired token; 1 is ideal.")
        case .refreshesPerExpiry:
            Definition(
                name: "refreshes_per_expiry", kind: .ratio, unit: .ratio,
                tagKeys: [.app, .design],
                summary: "Refreshes for each time a user's token was found expired; 1 is ideal.")
        case .requestDuration:
            Definition(
                name: "request_duration", kind: .trend, unit: .nanoseconds,
                tagKeys: Metric.ofAttempt,
                summary: "Time of one attempt on the wire, from sending to its last byte.")
        case .requestFailed:
            Definition(
                name: "request_failed", kind: .rate, unit: .ratio, tagKeys: Metric.ofAttempt,
                summary: "Share of attempts that got no answer or one with an error status.")
        case .requests:
            Definition(
                name: "requests", kind: .counter, unit: .count, tagKeys: Metric.ofAttempt,
                summary: "Attempts on the wire, retries and refreshes included.")
        case .retries:
            Definition(
                name: "retries", kind: .counter, unit: .count,
                tagKeys: [.app, .cause, .design, .endpoint, .journey, .step],
                summary: "Attempts sent because an earlier attempt of the same request failed.")
        case .sessionsLost:
            Definition(
                name: "sessions_lost", kind: .counter, unit: .count,
                tagKeys: [.app, .cause, .design, .journey, .step],
                summary: "Users signed out because their refresh token was refused (418).")
        case .stepDuration:
            Definition(
                name: "step_duration", kind: .trend, unit: .nanoseconds, tagKeys: Metric.ofStep,
                summary:
                    "Time from a step's planned start to its end, retries and refreshes included.")
        case .stepFailed:
            Definition(
                name: "step_failed", kind: .rate, unit: .ratio, tagKeys: Metric.ofStep,
                summary: "Share of steps that ended without what the user came for.")
        case .steps:
            Definition(
                name: "steps", kind: .counter, unit: .count, tagKeys: Metric.ofStep,
                summary: "User actions that began and ended.")
        case .usersActive:
            Definition(
                name: "users_active", kind: .gauge, unit: .count, tagKeys: [],
                summary: "Users in a session: neither away nor still to arrive.")
        }
    }

    private static let ofStep: [TagKey] = [.app, .design, .journey, .step]
    private static let ofAttempt: [TagKey] = [.app, .cause, .endpoint, .status]
}
