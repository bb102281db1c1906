import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Records the steps and exchanges of chosen users, and nothing of all others.
final class TraceListener: ExchangeListener, StepListener {
    static let observedExchanges: EventTraits = [.any, .unended]

    private(set) var found = CallTrace()
    private let run: MeasuredRun
    private let selection: TraceSelection

    /// `nil` when no user is chosen.
    init?(_ run: MeasuredRun) {
        guard let selection = run.trace else { return nil }
        self.run = run
        self.selection = selection
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard chooses(exchange.user) else { return }
        found.append(ExampleRow.Attempt(exchange.record), of: Int64(exchange.record.cause.user))
    }

    func stepEnded(_ step: EndedStep) {
        append(step, step.outcome?.label ?? "never ended")
    }

    func stepUnfinished(_ step: EndedStep) { append(step, "under way at the end") }

    private func append(_ step: EndedStep, _ outcome: String) {
        guard chooses(step.user) else { return }
        let name = run.steps[step.number]
        found.append(
            step: "\(name.journey) · \(name.step)", of: Int64(step.user.number), outcome: outcome,
            span: step.step.intendedAt..<step.user.now,
            delayNanoseconds: step.step.startedAt.nanoseconds - step.step.intendedAt)
    }

    private func chooses(_ user: User) -> Bool {
        selection.chooses(
            user: Int64(user.number), of: run.populations[user.population].app)
    }
}

/// The users for whom every step and exchange is recorded.
public struct TraceSelection: Hashable, Sendable {
    /// One part of a selection.
    enum Part: Hashable, Sendable {
        /// A user, by number.
        case user(Int64)
        /// All users of an app.
        case app(String)
    }

    /// The parts, any of which chooses a user.
    let parts: [Part]

    /// Reads `user:17`, `app:mine` or several of them with commas between; nil for other texts.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
            return halves.count == 2 ? Part(halves[0], halves[1]) : nil
        }
        self.parts = parts.compactMap { $0 }
        guard self.parts.count == parts.count else { return nil }
    }

    /// The first part that chooses no user in a profile, as it was written.
    public func unknownUser(in profile: Profile) -> String? {
        for part in parts {
            switch part {
            case .user(let user) where user >= profile.users: return "user:\(user)"
            case .app(let app) where !profile.populations.contains { $0.app == app }:
                return "app:\(app)"
            default: continue
            }
        }
        return nil
    }

    func chooses(user: Int64, of app: String) -> Bool {
        parts.contains { $0 == .user(user) || $0 == .app(app) }
    }
}

extension TraceSelection.Part {
    fileprivate init?(_ kind: String, _ value: String) {
        switch kind {
        case "user":
            guard let user = Int64(value), user >= 0 else { return nil }
            self = .user(user)
        case "app": self = .app(value)
        default: return nil
        }
    }
}
