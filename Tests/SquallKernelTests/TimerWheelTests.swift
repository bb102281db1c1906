import Testing

@testable import SquallKernel

@Suite("Timer wheel")
struct TimerWheelTests {
    @Test("Events come in order of time, equal times in order of insertion", arguments: 1...50)
    func order(seed: Int) {
        let stream = RandomStream(seed: UInt64(seed)).stream("test")
        let scale = UInt64(1) << stream.integer(below: 40, at: 0)
        let times = (1...500).map { stream.integer(below: scale, at: UInt64($0)) / 3 * 3 }
        var wheel = TimerWheel()
        for (index, time) in times.enumerated() { _ = wheel.insert(item(index), at: time) }
        let expected = times.enumerated().sorted {
            ($0.element, $0.offset) < ($1.element, $1.offset)
        }
        #expect(drain(&wheel).map(\.index) == expected.map(\.offset))
    }

    @Test("Interleaved insertions and removals agree with a sorted list", arguments: 1...50)
    func holdModel(seed: Int) {
        let stream = RandomStream(seed: UInt64(seed)).stream("hold")
        var model = Model()
        for step in 0..<2_000 {
            let choice = stream.bits(at: UInt64(step) * 2) % 4
            let delay = stream.bits(at: UInt64(step) * 2 + 1) >> (20 + choice * 11)
            switch choice {
            case 0: model.advance()
            case 1: model.cancelOne(stream.bits(at: UInt64(step)))
            default: model.insert(after: delay)
            }
        }
        while model.advance() {}
        #expect(model.seen == model.expected)
    }

    @Test("A cancelled event never comes and a second cancellation says so")
    func cancellation() {
        var wheel = TimerWheel()
        let first = wheel.insert(item(1), at: 10)
        _ = wheel.insert(item(2), at: 10)
        #expect(wheel.cancel(first) == true)
        #expect(wheel.cancel(first) == false)
        #expect(drain(&wheel).map(\.index) == [2])
    }

    @Test("A timer whose place was reused does not cancel its successor")
    func staleTimer() {
        var wheel = TimerWheel()
        let first = wheel.insert(item(1), at: 10)
        _ = drain(&wheel)
        _ = wheel.insert(item(2), at: 20)
        #expect(wheel.cancel(first) == false)
        #expect(wheel.count == 1)
    }

    @Test("No event beyond the limit is drained, and later insertions before it still come first")
    func limit() {
        var wheel = TimerWheel()
        var ring = ReadyRing()
        _ = wheel.insert(item(1), at: 5_000)
        #expect(wheel.drainNextInstant(upTo: 4_999, into: &ring) == nil)
        _ = wheel.insert(item(2), at: 4_999)
        #expect(drain(&wheel).map(\.index) == [2, 1])
    }

    @Test("The far end of time can be scheduled")
    func farFuture() {
        var wheel = TimerWheel()
        _ = wheel.insert(item(1), at: UInt64(Int64.max))
        _ = wheel.insert(item(2), at: 0)
        #expect(drain(&wheel).map(\.time) == [0, UInt64(Int64.max)])
    }
}

private func item(_ index: Int) -> ReadyItem { ReadyItem(payload: UInt64(index), kind: 2) }

private func drain(_ wheel: inout TimerWheel) -> [(index: Int, time: UInt64)] {
    var ring = ReadyRing()
    var drained: [(index: Int, time: UInt64)] = []
    while let time = wheel.drainNextInstant(upTo: .max, into: &ring) {
        while ring.count > 0 { drained.append((Int(ring.removeFirst().payload), time)) }
    }
    return drained
}

/// The wheel beside a list that is searched for its earliest entry.
private struct Model: ~Copyable {
    var wheel = TimerWheel()
    var pending: [(time: UInt64, index: Int, timer: Timer)] = []
    var now: UInt64 = 0
    var inserted = 0
    var seen: [Int] = []
    var expected: [Int] = []

    mutating func insert(after delay: UInt64) {
        inserted += 1
        let timer = wheel.insert(item(inserted), at: now + delay)
        pending.append((now + delay, inserted, timer))
    }

    mutating func cancelOne(_ word: UInt64) {
        guard !pending.isEmpty else { return }
        let victim = pending.remove(at: Int(word % UInt64(pending.count)))
        _ = wheel.cancel(victim.timer)
    }

    @discardableResult
    mutating func advance() -> Bool {
        guard let earliest = pending.map(\.time).min() else { return false }
        expected += pending.filter { $0.time == earliest }.map(\.index)
        pending.removeAll { $0.time == earliest }
        var ring = ReadyRing()
        now = wheel.drainNextInstant(upTo: .max, into: &ring) ?? 0
        while ring.count > 0 { seen.append(Int(ring.removeFirst().payload)) }
        return now == earliest
    }
}
