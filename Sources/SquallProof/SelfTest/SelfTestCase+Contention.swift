import SquallClient

/// The published comparison of backoff and jitter, repeated with the client's retry policy.
extension SelfTestCase {
    static let contention: [SelfTestCase] = PublishedBackoff.table.flatMap { row in
        row.cells.map { contention(row, $0) }
    }

    private static func contention(
        _ row: PublishedBackoff, _ cell: PublishedBackoff.Cell
    ) -> SelfTestCase {
        SelfTestCase(
            model: "backoff \(cell.name), n=\(row.clients)", isThorough: row.clients > 100
        ) { conditions in
            let experiment = ContentionModel(clients: row.clients, jitter: cell.jitter)
            let tallies = try conditions.replicating(oneIn: row.clients > 50 ? 4 : 1)
                .replicate(experiment.run)
            func measured(_ value: (ContentionModel.Tally) -> Double) -> Estimate {
                Estimate(replications: tallies.map(value), againstTrials: row.trials)
            }
            return [
                SelfTestCheck(
                    "calls", theory: cell.calls, measured: measured { Double($0.writes) }),
                SelfTestCheck(
                    "time", in: "ms", theory: cell.milliseconds,
                    measured: measured { Double($0.nanoseconds) / 1e6 }),
            ]
        }
    }
}

/// A row of the comparison: means over some trials of aws-samples/aws-arch-backoff-simulator.
private struct PublishedBackoff {
    let clients: Int
    let trials: Int
    let cells: [Cell]

    /// One kind of delay.
    struct Cell {
        let name: String
        let jitter: RetryPacing.Jitter?
        let calls: Double
        let milliseconds: Double
    }

    private init(_ clients: Int, trials: Int = 20, _ means: [(Double, Double)]) {
        self.clients = clients
        self.trials = trials
        let ways: [(String, RetryPacing.Jitter?)] = [
            ("none", nil), ("exponential", RetryPacing.Jitter.none), ("equal", .equal),
            ("full", .full), ("decorrelated", .decorrelated),
        ]
        cells = zip(ways, means).map { way, mean in
            Cell(name: way.0, jitter: way.1, calls: mean.0, milliseconds: mean.1)
        }
    }

    static let table = [
        PublishedBackoff(10, [(50, 373), (49, 2_934), (43, 710), (39, 480), (37, 400)]),
        PublishedBackoff(
            50, [(689, 1_136), (614, 36_174), (346, 4_121), (332, 2_508), (375, 2_153)]),
        PublishedBackoff(
            100,
            [(2_420, 2_014), (1_871, 63_924), (812, 6_839), (794, 4_886), (1_016, 4_691)]),
        PublishedBackoff(
            190, trials: 10,
            [(8_027, 3_535), (5_153, 99_821), (1_763, 9_619), (1_776, 7_699), (2_424, 8_354)]),
    ]
}
