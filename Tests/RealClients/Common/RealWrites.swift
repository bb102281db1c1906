import Foundation
import Squall

extension RealClient {
    /// Plays worlds of these numbers, each with calls, refusals and cancellations of its own.
    ///
    /// Every other one interrupts code that does not wait.
    func playWrites(_ numbers: Range<Int>, _ counts: [Int]) -> RealTally {
        var tally = RealTally(self)
        let interruptions = ProcessInfo.processInfo.environment["PREEMPTIONS"].flatMap(Int.init)
        let last = ProcessInfo.processInfo.environment["LAST"]
            .map { open($0, O_WRONLY | O_CREAT, 0o600) }
        for number in numbers {
            if let last { pwrite(last, "\(number)        ", 8, 0) }
            let plan = RealPlan(drawn: number, count: counts[number % counts.count], kinds)
            // Safe because the world runs on this thread.
            nonisolated(unsafe) var real: RealWorld?
            let world = TestWorld(
                seed: UInt64(number), schedule: RandomSchedule(seed: UInt64(number)),
                window: number % 4 < 2 ? .zero : .milliseconds(100),
                preemptions: number % 2 == 0 ? 0 : interruptions ?? 20)
            let run = observe(world) { world in
                let made = RealWorld(world, plan)
                real = made
                await made.perform(try await start(made))
            }
            tally.add(run, real, number)
        }
        return tally
    }
}

/// What came of many worlds.
struct RealTally: CustomStringConvertible {
    let name: String
    /// Whether a call that is cancelled may never end.
    let losesCancelled: Bool
    private var worlds = 0
    private var calls = 0
    private var writes = 0
    private var requests = 0
    /// How calls ended, and how often.
    private var ends: [String: Int] = [:]
    /// What is wrong, how often, and the first worlds where.
    private var wrong: [String: (count: Int, worlds: [Int])] = [:]

    init(_ client: RealClient) {
        name = client.name
        losesCancelled = client.losesCancelled
    }

    var isRight: Bool { wrong.isEmpty }

    mutating func add(_ run: WorldRun, _ real: RealWorld?, _ number: Int) {
        worlds += 1
        requests += run.calls
        for escape in run.escapes { note("escaped: \(escape.what)", number) }
        guard let real else {
            return note("did not start: \(String(describing: run.failure))", number)
        }
        if let failure = run.failure, run.hangs.isEmpty { note("threw \(failure)", number) }
        for fault in real.faults {
            note("changed: " + fault.drop { $0 != "(" }, number)
        }
        for call in real.calls {
            calls += 1
            let count = real.written[call.number] ?? 0
            writes += count
            let what = "\(call.kind) to \(call.path.prefix { $0 != "?" })"
            if count > 1 { note("doubled: \(what)", number) }
            guard let end = real.ends[call.number] else {
                hang(call, number)
                continue
            }
            switch end {
            case .success(let status):
                ends["\(status)", default: 0] += 1
                if status < 300, call.isKept, count == 0 { note("lost: \(what)", number) }
            case .failure(let error): ends[RealTally.short(error), default: 0] += 1
            }
        }
    }

    private mutating func hang(_ call: RealCall, _ number: Int) {
        if case .never = call.cancellation { return note("never ended: \(call.kind)", number) }
        let how = "never ended, \(call.cancellation.name)"
        if losesCancelled { ends[how, default: 0] += 1 } else { note(how, number) }
    }

    private mutating func note(_ what: String, _ number: Int) {
        var (count, worlds) = wrong[what] ?? (0, [])
        if worlds.count < 5 { worlds.append(number) }
        count += 1
        wrong[what] = (count, worlds)
    }

    private static func short(_ error: any Error) -> String {
        if let error = error as? URLError { return "URLError \(error.errorCode)" }
        let code = "\(error)".firstMatch(of: #/Code=(-?[0-9]+)/#).map { " \($0.1)" } ?? ""
        return String("\(error)".prefix { $0 != "(" }.prefix(60)) + code
    }

    var description: String {
        let ended = ends.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let faults = wrong.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { "\n  ✗ \($0.key): \($0.value.count) times, in worlds \($0.value.worlds)" }
        return """
            \(name), writes: \(worlds) worlds, \(calls) calls, \(requests) requests, \
            \(writes) writes kept; ended with \(ended)\(faults.joined())
            """
    }
}
