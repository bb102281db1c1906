import SquallReport

@testable import SquallLab

/// A run of visits that are one call each, so that theory knows what to expect of every number.
///
/// A visit reads Share.D's community, which is empty: 10 ms up, the service, 10 ms down.
struct OneCallRun {
    var users = 5_000
    var load = #"{"closed": {}}"#
    var population = #""away": "1m", "arriveOver": "0s""#
    var patience = "1h"
    var service = #""100ms""#
    var workers = 1
    var duration = "1m"
    var settings = ""
    var interval = "30s"

    var text: String {
        """
        { "schemaVersion": 1, "duration": "\(duration)", "drain": "2h", \(settings)
          "output": { "timeseriesInterval": "\(interval)" },
          "populations": [{ "name": "people", "app": "shareD", "users": \(users),
            "journeys": { "communityToEnd": 1 }, "load": \(load), \(population),
            "thinkTime": "0s",
            "patience": "\(patience)" }],
          "backend": { "content": { "giftQuestions": 0 },
            "tokens": { "accessLifetime": "20d", "refreshLifetime": "30d" },
            "network": { "up": "10ms", "down": "10ms", "timeout": "1h" },
            "server": { "workers": \(workers), "queueLimit": 1000000,
              "serviceTime": \(service) } } }
        """
    }

    /// Everything that the run found.
    func output() throws -> RunOutput {
        let run = LoadRun(
            profile: try Profile.read(text), named: "test", options: .init(replayCommand: ""))
        return try run.run { _ in .continue }.output
    }

    func summary() throws -> RunSummary { try output().summary }

    /// Sessions as evenly as these stages of rate and seconds allow.
    static func even(_ stages: [(rate: Double, seconds: Int)], _ more: String = "") -> String {
        let list = stages.map {
            #"{"constant": {"rate": \#($0.rate), "for": "\#($0.seconds)s"}}"#
        }
        return #"""
            {"open": {"spacing": "even", \#(more) "stages": [\#(list.joined(separator: ","))]}}
            """#
    }
}

/// Lindley's recursion: when each of some arrivals begins before one worker who takes so long.
func lindley(_ arrivals: [Int64], service: Int64) -> [Int64] {
    var free = Int64.min
    return arrivals.map { arrival in
        let start = max(arrival, free)
        free = start + service
        return start
    }
}

extension Histogram {
    init(of values: [Int64]) {
        self.init()
        for value in values { record(value) }
    }
}

extension RunSummary {
    /// The numbers of a trend over all of its series.
    func latency(_ metric: Metric) -> LatencySummary? {
        if case .trend(let latency)? = total(of: metric)?.values { latency } else { nil }
    }

    /// The laws that every run prints.
    func law(_ name: String) -> SelfCheck? { selfChecks.first { $0.name.hasPrefix(name) } }
}
