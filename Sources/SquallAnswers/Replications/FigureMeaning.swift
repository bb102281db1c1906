import SquallLab
import SquallReport

/// The meaning of a figure for users and operators: which direction is better, and how much it
/// matters.
struct FigureMeaning {
    let lessIsBetter: Bool
    /// The weight of a change of all of it, beside that of a step duration, which has 1.
    let weight: Double
    /// The figure that a number is judged by: more attempts are no worse where as many more steps
    /// are made.
    ///
    /// Nil for what is a share, a duration or a peak already.
    private(set) var base: Base?

    /// A count with which a number grows although nothing became better or worse.
    enum Base: String, Encodable, Sendable {
        case step = "steps count"
        case call = "logical_requests count"
        case journey = "journeys count"

        var figure: String { rawValue }
        /// `per step`.
        var words: String { "per \(self)" }
        /// `steps`.
        var plural: String { "\(self)s" }
    }

    /// The meaning of a figure, by its name; nil where neither more nor less of it is better.
    init?(of name: String) {
        let metric = String(name.prefix { $0 != " " && $0 != "{" })
        let aggregate = name.split(separator: " ").last
        let kind = MetricCatalogue.installed.metric(named: metric)?.kind
        if kind == .trend, aggregate == "count" { return nil }
        if metric == "recovery" {
            (lessIsBetter, weight) = (aggregate == "time", 1.5)
        } else if let known = Self.known[metric] {
            (lessIsBetter, weight) = (known.lessIsBetter, known.weight)
            // A peak has no base, nor has a share of what it would be.
            let isShare = kind == .rate && aggregate == "rate"
            base = isShare || aggregate == "max" ? nil : known.base
        } else if kind == .trend {
            (lessIsBetter, weight) = (true, 0.25)
        } else {
            return nil
        }
    }

    private init(_ lessIsBetter: Bool, _ weight: Double, per base: Base? = nil) {
        (self.lessIsBetter, self.weight, self.base) = (lessIsBetter, weight, base)
    }

    /// First what ends a user's task, then what users wait for, then work for nothing, then load.
    private static let known: [String: FigureMeaning] = [
        "hangs": .init(true, 2, per: .step), "screens_stuck": .init(true, 2, per: .step),
        "sessions_lost": .init(true, 2, per: .step), "step_failed": .init(true, 1.5, per: .step),
        "journey_goals": .init(false, 1.5, per: .journey), "passed": .init(false, 1.5),
        "audit_findings": .init(true, 1.5, per: .step),
        "step_duration": .init(true, 1), "journey_delay": .init(true, 1),
        "page_duration": .init(true, 1), "refresh_wait": .init(true, 1), "steps": .init(false, 1),
        "items_per_second": .init(false, 1), "pages": .init(false, 0.5, per: .step),
        "items": .init(false, 0.5, per: .step), "items_missed": .init(true, 1, per: .step),
        "items_repeated": .init(true, 0.5, per: .step),
        "refreshes_redundant": .init(true, 0.5, per: .step),
        "refreshes_per_expiry": .init(true, 0.5), "refreshes_per_expired_step": .init(true, 0.5),
        "refresh_loops": .init(true, 0.5, per: .step),
        "request_failed": .init(true, 0.5, per: .call),
        "attempts_wasted": .init(true, 0.5, per: .step),
        "hidden_screen_calls": .init(true, 0.25, per: .step),
        "expired_responses": .init(true, 0.25, per: .step),
        "retries": .init(true, 0.25, per: .call), "requests": .init(true, 0.25, per: .step),
        "refreshes": .init(true, 0.25, per: .step), "refresh_rate": .init(true, 0.25),
        "concurrency": .init(true, 0.1, per: .step), "server_busy": .init(true, 0.1, per: .step),
        "server_queue": .init(true, 0.1), "workers_busy": .init(true, 0.1),
    ]
}
