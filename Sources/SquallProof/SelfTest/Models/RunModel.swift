import SquallLab
import SquallReport

/// A station as a user of the tool models it: a profile, run by a `LoadRun`, read in its summary.
///
/// A visit is one call, and waits in line before the server's workers as theory predicts. The rest
/// of a visit is 10 ms each way.
struct RunModel {
    /// The load: random sessions at a rate per second, or users who are away for 5 s.
    enum Load {
        /// There must be so many people that no session waits for one.
        case open(rate: Double, people: Int)
        case closed(users: Int)
    }

    let workers: Int
    let load: Load
    /// The time of a service, as a profile writes it.
    let service: String
    /// The time without measurement, then the measured time, in seconds.
    let warmUp, span: Int

    /// The figures on the server in a run's summary.
    struct Outcome {
        let waits: Histogram
        let utilisation: Double
        let meanQueue: Double
    }

    /// Runs the profile with a seed.
    func run(seed: UInt64) throws -> Outcome {
        var profile = try Profile.read(
            Array(text.utf8), file: "self-test", vocabulary: .installed)
        profile.seed = seed
        let result = try LoadRun(
            profile: profile, named: "self-test", options: .init(replayCommand: "")
        ).run { _ in .continue }
        guard let server = result.summary.server, let busy = server.utilisation,
            let line = server.meanQueue,
            let metric = MetricCatalogue.installed.metric(named: "server_wait"),
            case .trend(let waits)? = result.output.metrics.value(of: MetricKey(metric))
        else { preconditionFailure("a run of \(text) has no waits") }
        return Outcome(waits: waits, utilisation: busy, meanQueue: line)
    }

    private var text: String {
        """
        { "schemaVersion": 1, "duration": "\(warmUp + span)s", "warmUp": { "for": "\(warmUp)s" },
          "drain": "1d", "output": { "timeseriesInterval": "1h" },
          "populations": [{ "app": "shareD", \(settings),
            "journeys": { "communityToEnd": 1 }, "thinkTime": "0s", "patience": "1d" }],
          "backend": {
            "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
              "bookPosts": 0, "giftQuestions": 0, "outfits": 0 },
            "tokens": { "accessLifetime": "365d", "refreshLifetime": "365d" },
            "network": { "up": "10ms", "down": "10ms", "timeout": "1h" },
            "server": { "workers": \(workers), "queueLimit": 10000000,
              "serviceTime": \(service) } } }
        """
    }

    private var settings: String {
        switch load {
        case .open(let rate, let people):
            """
            "users": \(people), "load": { "open": { "stages": [
              { "constant": { "rate": \(rate), "for": "\(warmUp + span)s" } } ] } }
            """
        case .closed(let users):
            // To the server, 20 ms of travel are part of thinking, and the closed form only depends
            // on the mean of thinking.
            """
            "users": \(users), "away": { "exponential": { "mean": "4980ms" } }, "arriveOver": "5s"
            """
        }
    }
}

extension RunModel.Outcome {
    /// The share of requests that waited longer than a number of seconds.
    ///
    /// A histogram is exact to a thousandth, so the limit should be a ``boundary(near:)``.
    func share(longerThan seconds: Double) -> Double {
        let limit = Int64((seconds * 1e9).rounded())
        let longer = waits.buckets.reduce(Int64(0)) { $0 + ($1.lowest > limit ? $1.count : 0) }
        return Double(longer) / Double(waits.count)
    }

    /// The highest value, in seconds, in the histogram cell of a value.
    static func boundary(near seconds: Double) -> Double {
        var probe = Histogram()
        probe.record(Int64((seconds * 1e9).rounded()))
        let highest = probe.buckets.first { _ in true }.map(\.highest) ?? 0
        return Double(highest) / 1e9
    }
}
