import SquallFormat
import SquallReport

/// The choice of a setting's value by the thresholds, over all replications together.
///
/// A value counts that meets every expectation with the whole interval of each. For a token's
/// lifetime it is the shortest of these at which users wait no longer than at the longest, since a
/// stolen token is valid for that long. For other settings it is the last value before expectations
/// break: the most load, the fewest workers. Where all keep them, none is named.
struct SweepChoice {
    private let answer: SweepAnswer
    private let axis: SweepAnswer.Axis
    /// The places, in rising order.
    private let points: [SweepAnswer.Point]

    /// The factor by which users may wait longer than at the longest lifetime.
    private static let tolerance = 1.05

    init(of answer: SweepAnswer) {
        self.answer = answer
        axis = answer.axes[0]
        points = answer.points.ordered { $0.values[0] < $1.values[0] }
    }

    /// The value to take and the reason; `nil` where no value is better than another.
    var sentence: String? {
        let possible = points.indices.filter { points[$0].broken.isEmpty }
        let kept = possible.filter { points[$0].undecided.isEmpty }
        guard let first = kept.first, let last = kept.last else {
            return possible.isEmpty
                ? none
                : "No \(words) is shown to meet every threshold"
                    + near(possible) + "."
        }
        guard !axis.isTokenLifetime else { return lifetime(kept) }
        guard kept.count < points.count else { return nil }
        guard possible.count == (possible.last ?? 0) - (possible.first ?? 0) + 1 else {
            return scattered(kept)
        }
        if possible.first == 0 {
            return "Take \(name(last)), the most that is shown to meet every threshold"
                + "\(beyond(possible.filter { $0 > last }, last + 1))."
        }
        guard possible.last == points.count - 1 else { return scattered(kept) }
        return "Take \(name(first)), the least that is shown to meet every threshold"
            + "\(beyond(possible.filter { $0 < first }, first - 1))."
    }

    private var words: String { axis.name.lastPathWords }

    private func text(_ place: Int) -> String { axis.text(points[place].values[0]) }

    private func name(_ place: Int) -> String { "\(words) \(text(place))" }

    /// The values for which the replications leave the verdict open, or else the thresholds that
    /// break at the next value, where one was run.
    private func beyond(_ undecided: [Int], _ next: Int) -> String {
        guard undecided.isEmpty else { return near(undecided) }
        guard points.indices.contains(next), let broken = points[next].broken.first else {
            return ""
        }
        return "; at \(text(next)) \(clause(broken, [points[next]]))"
    }

    private func near(_ places: [Int]) -> String {
        let isOne = places.count == 1
        let limits = Set(places.flatMap { points[$0].undecided }).ordered(by: <)
            .map { answer.thresholds[$0].thresholdShown }.joined(separator: ", ")
        return "; \(places.map(text).joined(separator: ", ")) \(isOne ? "is" : "are") too close to"
            + " the limit of \(limits) to tell with"
            + " \(Units.counted(answer.replications, "replication"))"
    }

    /// The shortest lifetime that meets every expectation and costs users no wait, and its cost at
    /// the token endpoint.
    private func lifetime(_ kept: [Int]) -> String {
        let shortest = kept[0]
        let choice = kept.first { !isSlower($0, than: points.count - 1) } ?? shortest
        let undecided = (0..<shortest).filter { points[$0].broken.isEmpty }
        let limit = beyond(undecided, shortest - 1)
        guard choice > shortest else {
            let bound =
                shortest == 0 ? " (the shortest tried; add shorter ones to --vary)" : limit
            return "Take \(name(choice)), the shortest that is shown to meet every"
                + " threshold\(bound): a stolen token is valid for no longer.\(cost(of: choice))"
        }
        // What is shorter meets every threshold as well, and lets users wait longer.
        let slower = kept.filter { $0 < choice && isSlower($0, than: points.count - 1) }
        let waits = slower.compactMap { value("step_duration p(95)", $0)?.text }
        let best =
            value("step_duration p(95)", choice).map { "; \(text(choice)): \($0.text)" } ?? ""
        return "Take \(name(choice)): a stolen token is valid for no longer, and at"
            + " \(slower.map(text).listed) the p95 step duration is longer"
            + " (\(waits.joined(separator: ", "))\(best)). \(slower.map(text).listed)"
            + " \(slower.count == 1 ? "meets" : "meet") every threshold, too\(limit)."
            + "\(cost(of: shortest))\(cost(of: choice))"
    }

    /// True if the p95 step duration is longer than at another place, by more than its tolerance
    /// and by intervals that do not meet.
    private func isSlower(_ place: Int, than other: Int) -> Bool {
        guard let own = wait(place), let best = wait(other) else { return false }
        guard own.value > best.value * Self.tolerance else { return false }
        return own.low ?? own.value > best.high ?? best.value
    }

    private func wait(_ place: Int) -> ConfidenceInterval? {
        value("step_duration p(95)", place)?.estimate
    }

    private func value(_ figure: String, _ place: Int) -> SweepAnswer.Value? {
        answer.figures.firstIndex(of: figure).map { points[place].figures[$0] }
    }

    /// The cost of a lifetime for users and for the token endpoint, beside the longest.
    private func cost(of place: Int) -> String {
        let last = points.count - 1
        guard place < last else { return "" }
        let costs = [
            ("refreshes count", "refreshes"), ("refresh_rate max", "refreshes at the peak"),
            ("step_duration p(95)", "p95 step duration"),
        ].compactMap { figure, words -> String? in
            guard let own = value(figure, place), let other = value(figure, last),
                own.estimate != nil, other.estimate != nil
            else { return nil }
            guard own.text != other.text else { return nil }
            return "\(own.text) \(words) (\(other.text) at \(text(last)))"
        }
        guard !costs.isEmpty else { return " \(text(place)) costs no more than \(text(last))." }
        return " \(text(place)) costs \(costs.joined(separator: ", "))."
    }

    private func scattered(_ kept: [Int]) -> String {
        "Every threshold holds at \(words) \(kept.map(text).joined(separator: ", ")) only."
    }

    /// Says that no value keeps all expectations, and names the threshold that breaks most often.
    private var none: String {
        let counts = answer.thresholds.indices.map { threshold in
            points.count { $0.broken.contains(threshold) }
        }
        let worst = answer.thresholds.indices.max { counts[$0] < counts[$1] } ?? 0
        let clause = clause(worst, points.filter { $0.broken.contains(worst) })
        return "No \(words) of those tried meets every threshold: at \(counts[worst]) of"
            + " \(points.count) \(clause)."
    }

    /// The breach of a threshold at the places that break it, as a clause.
    private func clause(_ threshold: Int, _ places: [SweepAnswer.Point]) -> String {
        let name = answer.thresholds[threshold]
        return places.allSatisfy { $0.unmeasured.contains(threshold) }
            ? name.withoutSamples : name.whenBroken
    }
}

extension [String] {
    /// `1m, 2m and 3m`.
    fileprivate var listed: String {
        count < 2
            ? joined() : "\(dropLast().joined(separator: ", ")) and \(last ?? "")"
    }
}
