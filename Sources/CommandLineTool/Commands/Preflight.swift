import SquallAnswers
import SquallFormat

/// Announces the cost of a large run before it starts, and refuses one that cannot finish.
struct Preflight {
    let estimate: RunEstimate
    /// The available memory; nil where the system does not tell.
    let availableBytes: Int64?

    private static let longSeconds = 3_600.0
    /// Memory from which on a run says what it needs, however much there is.
    private static let largeBytes = 1e9

    /// The warning to print before the run; nil when none is needed.
    ///
    /// - Throws: when there is not enough memory for the run.
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
        if estimate.memoryBytes > min(available / 2, Preflight.largeBytes) {
            facts.append("\(gigabytes(estimate.memoryBytes)) of memory")
        }
        if estimate.seconds > Preflight.longSeconds {
            facts.append("\(hours) hours for \(calls) requests")
        }
        return facts.isEmpty ? nil : "the run will take about " + facts.joined(separator: " and ")
    }

    /// Refuses more worlds at once than fit into memory; worlds of an exploration have neither a
    /// timeseries nor a crowd of users.
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
