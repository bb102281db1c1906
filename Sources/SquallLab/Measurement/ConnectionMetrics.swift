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
    /// By population.
    private let slots: [Slots]
    private let settingUp: Metrics.GaugeSlot
    /// By user, true while a visit has not shown a screen yet; a byte each, where a set has ten.
    private var launching: [Bool] = []

    private struct Slots {
        let opened, reused, ended, lost, repeated, doneTwice: Metrics.CounterSlot
        /// In the order of the parts.
        let parts: [Metrics.TrendSlot]
        let launch: Metrics.TrendSlot
    }

    init?(_ run: MeasuredRun) {
        guard run.hasConnections else { return nil }
        self.run = run
        settingUp = run.metrics.gauge(.settingUp)
        slots = run.populations.map { population in
            let counter = { (metric: Metric) in
                run.metrics.counter(MetricKey(metric, population.tags()))
            }
            return Slots(
                opened: counter(.connectionsOpened), reused: counter(.connectionsReused),
                ended: counter(.connectionsEnded), lost: counter(.requestsLost),
                repeated: counter(.requestsRepeated), doneTwice: counter(.requestsDoneTwice),
                parts: RequestPart.allCases.map {
                    let tags = population.tags([.part: $0.rawValue])
                    return run.metrics.trend(MetricKey(.requestPart, tags))
                },
                launch: run.metrics.trend(MetricKey(.launchDuration, population.tags())))
        }
    }

    func connectionChanged(_ event: ConnectionEvent, _ user: User) {
        let slots = slots[user.population]
        switch event {
        case .begun(let level), .failed(let level): run.metrics.set(Int64(level), in: settingUp)
        case .opened(let level):
            run.metrics.set(Int64(level), in: settingUp)
            run.metrics.add(1, to: slots.opened)
        case .reused: run.metrics.add(1, to: slots.reused)
        case .ended: run.metrics.add(1, to: slots.ended)
        case .requestLost: run.metrics.add(1, to: slots.lost)
        case .requestRepeated: run.metrics.add(1, to: slots.repeated)
        case .requestDoneTwice: run.metrics.add(1, to: slots.doneTwice)
        case .passed(let part, let span):
            run.metrics.record(span, in: slots.parts[part.index])
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
        run.metrics.record(step.duration, in: slots[step.user.population].launch)
    }
}

extension RequestPart {
    /// Its position among all.
    fileprivate var index: Int {
        switch self {
        case .place: 0
        case .radio: 1
        case .name: 2
        case .connect: 3
        case .secure: 4
        case .wait: 5
        case .transfer: 6
        }
    }
}
