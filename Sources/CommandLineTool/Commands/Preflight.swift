import SquallFormat
import SquallLab

/// Tells before a run what it will take, where that is much, and refuses what cannot end well.
struct Preflight {
    let estimate: RunEstimate
    /// How much memory there is; nil where the system does not tell.
    let availableBytes: Int64?

    private static let longSeconds = 3_600.0

    /// What is to be said before the run; nil when there is nothing.
    ///
    /// - Throws: when there is not enough memory for it.
    func warning(allowingLarge allowsLarge: Bool) throws(CommandFailure) -> String? {
        let available = availableBytes.map(Double.init) ?? .infinity
        if estimate.memoryBytes > available, !allowsLarge {
            throw .usage(
                "the run needs about \(gigabytes(estimate.memoryBytes)) of memory and there are"
                    + " \(gigabytes(available)); take fewer users (--users), which come less"
                    + " often, too, less time (--for) or a longer output.timeseriesInterval, or"
                    + " say --allow-large")
        }
        var facts: [String] = []
        if estimate.memoryBytes > available / 2 {
            facts.append("\(gigabytes(estimate.memoryBytes)) of memory")
        }
        if estimate.seconds > Preflight.longSeconds {
            facts.append("\(hours) hours for \(calls) requests")
        }
        return facts.isEmpty ? nil : "the run will take about " + facts.joined(separator: " and ")
    }

    /// Refuses as many worlds at once as there is no memory for; worlds in which schedules are
    /// played have no series and no crowd.
    func check(worlds: Int, isRun: Bool = true) throws(CommandFailure) {
        let bytes = (isRun ? estimate.memoryBytes : estimate.worldBytes) * Double(worlds)
        let available = availableBytes.map(Double.init) ?? .infinity
        guard bytes > available else { return }
        throw .usage(
            "\(Units.counted(worlds, "world")) at once \(worlds == 1 ? "needs" : "need") about"
                + " \(gigabytes(bytes)) of memory and there are \(gigabytes(available)); take fewer"
                + " --threads, fewer users or less content")
    }

    private var hours: String { Units.threeDigits((estimate.seconds / 360).rounded() / 10) }

    private var calls: String {
        Units.approximate(count: Int64(min(estimate.requests, 1e18)))
    }

    private func gigabytes(_ bytes: Double) -> String { "\(Units.threeDigits(bytes / 1e9)) GB" }
}
