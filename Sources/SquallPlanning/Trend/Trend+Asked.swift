import SquallFormat
import SquallReport

extension Trend {
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
                return "\(release.name) ran another experiment of \(run.profile) than the release"
                    + " before it, so its figures differ for that reason, too: \(list)."
            }
        }
    }
}
