import SquallFormat

/// The metrics of runs: thresholds may name them, and help and schemas list them.
///
/// ```swift
/// let catalogue = MetricCatalogue([.steps, .hangs]).adding([.napsTaken])
/// ```
public struct MetricCatalogue: Hashable, Sendable {
    /// The metrics, sorted by name.
    public let metrics: [Metric]

    /// A catalogue of the given metrics.
    ///
    /// - Precondition: no two of them have the same name.
    public init(_ metrics: [Metric]) {
        self.metrics = metrics.ordered(by: <)
        for (one, other) in zip(self.metrics, self.metrics.dropFirst()) {
            precondition(one != other, "two metrics are called \(one.name)")
        }
    }

    func adding(_ further: [Metric]) -> MetricCatalogue {
        MetricCatalogue(metrics + further)
    }

    /// The names of the metrics, in order.
    public var names: [String] { metrics.map(\.name) }

    /// Names of the release before, which thresholds still accept, with the present ones.
    public static let formerNames = [
        (former: "expired_answers", present: "expired_responses"),
        (former: "journey_deeds", present: "journey_goals"),
    ]

    /// The metric with the name, or with the former name, if there is one.
    public func metric(named name: String) -> Metric? {
        metrics.first { $0.name == name || $0.formerName == name }
    }
}

extension MetricCatalogue {
    /// The catalogue as text: each metric with its unit and its tags.
    public var text: String {
        let intro =
            "What a run measures. Each metric has a total and a series for each set of its tags;"
            + " thresholds select series by them. Durations are in virtual time."
        let lines = metrics.flatMap { metric in
            let tags = metric.tagKeys.map { tag in
                tag.rawValue
                    + (metric.values[tag].map { " (\($0.joined(separator: ", ")))" } ?? "")
            }
            let texts =
                [metric.summary]
                + [metric.formerName.map { "formerly \($0), which thresholds still accept" }]
                .compactMap(\.self)
                + (tags.isEmpty ? [] : ["tags: \(tags.joined(separator: ", "))"])
            return ["", "\(metric.name) · \(metric.kind.rawValue), \(metric.unitWords)"]
                + texts.flatMap { WordWrap.lines($0, first: "  ", rest: "  ") }
        }
        return (WordWrap.lines(intro) + lines).map { $0 + "\n" }.joined()
    }
}

extension Metric {
    /// Its name in the release before, which thresholds accept in this one, too.
    fileprivate var formerName: String? {
        MetricCatalogue.formerNames.first { $0.present == name }?.former
    }

    /// The unit of its values, in words.
    fileprivate var unitWords: String {
        switch kind {
        case .counter, .gauge: "whole numbers"
        case .trend: "time"
        case .rate, .ratio: "a quotient"
        }
    }
}

/// The metrics of any run; each one's text defines it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Metric {
    public static let auditFindings = Metric(
        "audit_findings", .counter, [.app, .cause, .design, .population],
        "Problems that users see although no call failed, by kind (squall help audits).")
    public static let attemptsWasted = Metric(
        "attempts_wasted", .counter, ofUser,
        "Attempts of calls that ended in an error for the app, and redundant refreshes.")
    public static let expiredResponses = Metric(
        "expired_responses", .counter, ofStep + [.endpoint],
        "Responses that refused an expired access token.")
    // The design's own work: no failure, and told apart from retries of other kinds.
    public static let expiredRepaired = Metric(
        "expired_repaired", .counter, ofEndpoint,
        "Expired responses after which a retry of the same call succeeded.")
    public static let hangs = Metric(
        "hangs", .counter, ofStep,
        "Steps that never completed, so that the user gave up.")
    // A covered screen can come back into sight; a replaced one never does.
    public static let hiddenScreenCalls = Metric(
        "hidden_screen_calls", .counter, ofStep + [.cause, .endpoint],
        "Calls by screens that another screen covered or replaced, refreshes included.",
        values: [.cause: ["covered", "replaced"]])
    public static let items = Metric(
        "items", .counter, ofEndpoint, "Items in the pages of lists that arrived.")
    // If ten or more of a population's journeys ended and none reached its goal, that is a
    // finding, `goal.missed`, and the run fails: it did not test what it asks.
    public static let journeyGoals = Metric(
        "journey_goals", .counter, ofUser + [.journey],
        "Journeys that reached their goal; a payment counts when money was taken.")
    public static let journeyDelay = Metric(
        "journey_delay", .trend, ofUser,
        "Delay of planned journeys: how late they began, or how long they had waited at the end.")
    public static let journeys = Metric(
        "journeys", .counter, ofUser + [.journey], "Journeys that users began.")
    public static let logicalRequests = Metric(
        "logical_requests", .counter, ofEndpoint,
        "Calls, refreshes included; a call counts once, with all of its attempts.")
    public static let pages = Metric(
        "pages", .counter, ofEndpoint, "Pages of lists that arrived.")
    public static let payments = Metric(
        "payments", .counter, ofUser + [.status],
        "Payments by outcome: booked, unbooked (paid but not booked), cancelled or refused.",
        values: [.status: ["booked", "cancelled", "refused", "unbooked"]])
    public static let refreshLoops = Metric(
        "refresh_loops", .counter, ofUser,
        "Calls that were refused as expired and refreshed three times or more in one step.")
    public static let refreshWait = Metric(
        "refresh_wait", .trend, ofUser,
        "Time from a call's expired response to its next attempt, or to its end.")
    public static let refreshes = Metric(
        "refreshes", .counter, ofStep + [.cause],
        "Attempts that refresh a token; cause is the endpoint that refused the token, or app.")
    public static let refreshesPerExpiredStep = Metric(
        "refreshes_per_expired_step", .ratio, ofStep,
        "Refreshes per step that got an expired response or refreshed; 1 is ideal.")
    public static let refreshesPerExpiry = Metric(
        "refreshes_per_expiry", .ratio, ofUser,
        "Refreshes per expired access token; 1 is ideal. Further refusals of the same token belong"
            + " to the same expiry. A refresh is redundant if another one succeeded for that"
            + " expiry, or if its refresh token was refused or exchanged before. Three refreshes"
            + " for one call in one step are a refresh loop.")
    public static let refreshesRedundant = Metric(
        "refreshes_redundant", .counter, ofUser,
        "Refreshes beyond the one that an expiry needs, or with a refresh token that was refused or"
            + " exchanged before.")
    public static let refreshesUnprompted = Metric(
        "refreshes_unprompted", .counter, ofUser,
        "Refreshes that the app sent without an expired response, such as at launch.")
    public static let connectionsOpened = Metric(
        "connections_opened", .counter, ofUser, "Connections that were set up.")
    public static let connectionsReused = Metric(
        "connections_reused", .counter, ofUser, "Requests that took a connection that was there.")
    public static let connectionsEnded = Metric(
        "connections_ended", .counter, ofUser,
        "Connections that ended while they carried requests.")
    public static let requestsLost = Metric(
        "requests_lost", .counter, ofUser,
        "Requests that got no response because their connection ended.")
    public static let requestsRepeated = Metric(
        "requests_repeated", .counter, ofUser,
        "Lost requests that the client's network sent again by itself.")
    public static let requestsDoneTwice = Metric(
        "requests_done_twice", .counter, ofUser,
        "Repeated requests that the server had already done or was doing.")
    public static let settingUp = Metric(
        "connections_setting_up", .gauge, [], "Connections that are being set up.")
    public static let requestPart = Metric(
        "request_part", .trend, ofUser + [.part],
        "A part of an attempt's time, where it took any: waiting for a place, radio, name, TCP"
            + " (connect), TLS or QUIC (secure), first byte (wait), last byte (transfer).",
        values: [.part: ["place", "radio", "name", "connect", "secure", "wait", "transfer"]])
    public static let launchDuration = Metric(
        "launch_duration", .trend, ofUser, "Time of the first step of a visit.")
    public static let connectionWait = Metric(
        "connection_wait", .trend, ofEndpoint,
        "Time that an attempt waited for a free connection of its user.")
    // Time-outs also count from when the attempt had a connection.
    public static let requestDuration = Metric(
        "request_duration", .trend, ofAttempt,
        "Time of one attempt, from its connection to the last byte of the response.",
        values: causesOfAttempts)
    public static let requestFailed = Metric(
        "request_failed", .rate, ofAttempt,
        "Share of ended attempts without a response or with an error status; those in"
            + " expired_repaired do not count.",
        values: causesOfAttempts)
    public static let requests = Metric(
        "requests", .counter, ofAttempt,
        "Attempts sent: first attempts, retries and refreshes. The status neverEnded is an attempt"
            + " without an end.",
        values: causesOfAttempts)
    public static let retries = Metric(
        "retries", .counter, ofStep + [.endpoint],
        "Attempts after the first one of a call; refreshes do not count.")
    public static let sessionsLost = Metric(
        "sessions_lost", .counter, ofStep + [.cause],
        "Users who were signed out unexpectedly, by the refused call that caused it.")
    // Retries and refreshes included; a step that hung counts with the time the user waited.
    public static let stepDuration = Metric(
        "step_duration", .trend, ofStep,
        "Time from a step's planned start to its end, or until it counts as hung, without fixed"
            + " waits of the app, such as a splash screen.")
    public static let stepFailed = Metric(
        "step_failed", .rate, ofStep,
        "Share of ended steps that did not show the user what was asked for.")
    public static let steps = Metric(
        "steps", .counter, ofStep, "Steps that ended, successful or failed.")
    public static let stepsIdle = Metric(
        "steps_idle", .counter, ofStep,
        "Steps with nothing to do; no other metric counts them.")
    public static let usersActive = Metric(
        "users_active", .gauge, [], "Users in a session: those who have arrived and are not away.")
}

extension Metric {
    /// The tags of a series' user; every series has them, so that designs are never merged.
    public static let ofUser: [TagKey] = [.app, .design, .population]
    /// The causes of refreshes without a known endpoint: the app asked by itself, or the refused
    /// call belongs to a step that is over.
    public static let causesWithoutEndpoint = ["app", "unknown"]
    private static let causesOfAttempts: [TagKey: [String]] = [
        .cause: ["first", "refresh", "retry"]
    ]
    private static let ofEndpoint = ofUser + [.endpoint]
    private static let ofStep = ofUser + [.journey, .step]
    private static let ofAttempt = ofEndpoint + [.cause, .status]
}
