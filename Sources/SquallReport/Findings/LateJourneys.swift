import SquallFormat

extension FindingRule {
    /// Load that was asked for and not achieved: journeys began late, as nobody was free for them.
    static let lateJourneys = FindingRule { summary in
        let series = summary.series(of: .journeyDelay)
        return series.compactMap { series in
            guard let delay = series.latency, delay.p99 >= 1_000_000_000 else { return nil }
            let longest = Units.approximate(nanoseconds: delay.maximum)
            let half = Units.approximate(nanoseconds: delay.p50)
            let population = series.tags[.population]
            let users = summary.populations.first { $0.name == population }?.users
            return Finding(
                label: "load.late", headline: "journeys that began up to \(longest) late",
                count: delay.count, population: population,
                detail: "half of \(Units.grouped(delay.count)) began \(half) late or more:"
                    + " nobody was free\(users.map { " of \(Units.grouped($0)) users" } ?? ""), so"
                    + " less was offered than the profile asks for. Give the population more users",
                lookAt: "Load")
        }
    }
}
