import SquallFormat
import SquallReport

extension Trend {
    /// The values that were neither measured nor given, and on which some release's figures rest.
    var assumed: [AssumedRow] { .united(releases.flatMap(\.assumed)) }

    /// Which releases rest on them; others have values that were measured or given.
    var unmeasured: [String] {
        guard let warning = assumed.warning else { return [] }
        let resting = releases.filter { $0.assumed.joined().contains { $0.isDecisive } }
        guard resting.count < releases.count else { return [warning] }
        let names = resting.map(\.name).joined(separator: ", ")
        return [warning + " So it is with \(names), not with the others."]
    }

    /// Where a release was asked something else than the one before, so that its figures differ for
    /// that reason.
    var askedOtherwise: [String] {
        var last: [String: RunSummary] = [:]
        return releases.flatMap { release in
            release.runs.compactMap { run in
                defer { last[run.profile] = run }
                let parts = last[run.profile].map { run.askedOtherwise(than: $0) } ?? []
                guard !parts.isEmpty else { return nil }
                let list = parts.joined(separator: "; ")
                return "Release \(release.name) ran another experiment of \(run.profile) than the"
                    + " release before it, so its figures differ for that reason, too: \(list)."
            }
        }
    }
}

extension Trend.Release {
    /// The assumed values of each of its results.
    fileprivate var assumed: [[AssumedRow]] {
        runs.map(\.assumed)
            + (replications.map(\.assumed) + capacities.map(\.assumed))
            .compactMap(\.self)
    }
}
