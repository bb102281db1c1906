import SquallBackend
import SquallReport

/// Counts connections, what their ends cost, and the parts of requests' times; and how long visits
/// take to show their first screen.
final class ConnectionMetrics: ServerListener, VisitListener, StepListener {
    static let metrics: [Metric] = [
        .connectionsOpened, .connectionsReused, .connectionsEnded, .requestsLost, .requestsRepeated,
        .requestsDoneTwice, .settingUp, .requestPart, .launchDuration,
    ]

    private let run: MeasuredRun
    // By population.
    private let opened, reused, ended, lost, repeated, doneTwice: [Metrics.CounterSlot]
    private let parts: [[RequestPart: Metrics.TrendSlot]]
    private let launch: [Metrics.TrendSlot]
    private let settingUp: Metrics.GaugeSlot
    /// By user, true while a visit has not shown a screen yet; a byte each, where a set has ten.
    private var launching: [Bool] = []

    init?(_ run: MeasuredRun) {
        guard run.hasConnections else { return nil }
        self.run = run
        settingUp = run.metrics.gauge(.settingUp)
        opened = run.counters(.connectionsOpened)
        reused = run.counters(.connectionsReused)
        ended = run.counters(.connectionsEnded)
        lost = run.counters(.requestsLost)
        repeated = run.counters(.requestsRepeated)
        doneTwice = run.counters(.requestsDoneTwice)
        launch = run.trends(.launchDuration)
        parts = run.populations.map { population in
            RequestPart.allCases.reduce(into: [:]) { slots, part in
                let tags = population.tags([.part: part.rawValue])
                slots[part] = run.metrics.trend(MetricKey(.requestPart, tags))
            }
        }
    }

    func connectionChanged(_ event: ConnectionEvent, _ user: User) {
        let place = user.population
        switch event {
        case .begun(let level), .failed(let level): run.metrics.set(Int64(level), in: settingUp)
        case .opened(let level):
            run.metrics.set(Int64(level), in: settingUp)
            run.metrics.add(1, to: opened[place])
        case .reused: run.metrics.add(1, to: reused[place])
        case .ended: run.metrics.add(1, to: ended[place])
        case .requestLost: run.metrics.add(1, to: lost[place])
        case .requestRepeated: run.metrics.add(1, to: repeated[place])
        case .requestDoneTwice: run.metrics.add(1, to: doneTwice[place])
        case .passed(let part, let span):
            if let slot = parts[place][part] { run.metrics.record(span, in: slot) }
        }
    }

    func visitBegan(_ user: User, lateByNanoseconds lateness: Int64?) {
        let missing = user.number + 1 - launching.count
        if missing > 0 { launching += repeatElement(false, count: missing) }
        launching[user.number] = true
    }

    func stepEnded(_ step: EndedStep) {
        guard launching.indices.contains(step.user.number), launching[step.user.number] else {
            return
        }
        launching[step.user.number] = false
        guard step.end != .idle else { return }
        run.metrics.record(step.duration, in: launch[step.user.population])
    }
}
