import SquallKernel

/// The cost of the run loop alone.
extension Benchmark {
    static let kernel: [Benchmark] = [
        timerHold("1k", pending: 1_000), timerHold("100k", pending: 100_000),
        timerHold("1M", pending: 1_000_000),
        Benchmark(
            "kernel/job switch, 10k tasks", about: "One task yields and another one runs.",
            measure: jobSwitches),
        Benchmark(
            "kernel/task create and park",
            about: "A task is created, runs until it waits, and is later resumed to its end.",
            measure: parkedTasks),
        Benchmark(
            "kernel/stream draw", about: "One exponential sample of one user's stream.",
            measure: draws),
    ]

    /// The hold model: the earliest event runs and schedules one other, at a random later time.
    private static func timerHold(_ label: String, pending: Int) -> Benchmark {
        Benchmark(
            "kernel/timer hold, \(label) pending",
            about: "The earliest event runs and schedules its successor up to a second later."
        ) {
            let simulation = Simulation()
            let stream = RandomStream(seed: 1).stream("bench.hold")
            let operations = max(1_000_000, pending * 2)
            let hold = Hold(simulation: simulation, stream: stream, operations: operations)
            for argument in 0..<UInt64(pending) { hold.schedule(argument) }
            return try sample(operations) { _ = try simulation.run(until: farFuture) }
        }
    }

    private static func jobSwitches() throws -> Sample {
        let simulation = Simulation()
        for _ in 0..<10_000 {
            simulation.spawn { for _ in 0..<40 { await Task.yield() } }
        }
        let before = RealClock.nanoseconds
        _ = try simulation.run(until: farFuture)
        return Sample(
            operations: simulation.itemsRun, nanoseconds: RealClock.nanoseconds - before)
    }

    private static func parkedTasks() throws -> Sample {
        let tasks = 100_000
        let simulation = Simulation()
        return try sample(tasks) {
            for _ in 0..<tasks {
                simulation.spawn { try? await simulation.sleep(nanoseconds: 1_000) }
            }
            _ = try simulation.run(until: farFuture)
        }
    }

    private static func draws() -> Sample {
        let law = Distribution.exponential(mean: 1_000_000)
        let stream = RandomStream(seed: 1).stream("bench.draw").stream(number: 7)
        let operations: UInt64 = 2_000_000
        var sum: Int64 = 0
        let result = sample(Int(operations)) {
            for ordinal in 0..<operations { sum &+= law.sample(stream, at: ordinal) }
        }
        precondition(sum > 0, "the samples of \(law) add up to \(sum)")
        return result
    }

    private static let farFuture = Instant(nanoseconds: .max)
}

/// The hold model's event: schedules its successor until enough have run.
private final class Hold {
    private let simulation: Simulation
    private let stream: RandomStream
    private let operations: Int
    private var ran: UInt64 = 0
    private var handler: EventHandler?

    init(simulation: Simulation, stream: RandomStream, operations: Int) {
        self.simulation = simulation
        self.stream = stream
        self.operations = operations
        handler = simulation.register { [unowned self] in run($0) }
    }

    func schedule(_ argument: UInt64) {
        guard let handler else { return }
        let delay = stream.integer(below: 1_000_000_000, at: ran &+ argument << 32)
        simulation.schedule(
            handler, argument: argument,
            at: simulation.now.advanced(byNanoseconds: Int64(delay)))
    }

    private func run(_ argument: UInt64) {
        ran &+= 1
        if ran == operations { return simulation.stop() }
        schedule(argument)
    }
}
