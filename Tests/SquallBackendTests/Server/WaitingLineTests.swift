import Testing

@testable import SquallBackend

@Suite("Waiting lines")
struct WaitingLineTests {
    /// The same by searching a list in the order of coming.
    private struct List {
        var waiting: [(request: UInt64, level: Int)] = []
        let newestFirst: Bool

        private mutating func take(_ level: Int, newest: Bool) -> UInt64? {
            let place =
                newest
                ? waiting.lastIndex { $0.level == level } : waiting.firstIndex { $0.level == level }
            return place.map { waiting.remove(at: $0).request }
        }

        mutating func popFirst() -> UInt64? {
            guard let level = waiting.map(\.level).min() else { return nil }
            return take(level, newest: newestFirst)
        }

        mutating func popLast(before level: Int) -> UInt64? {
            guard let last = waiting.map(\.level).max(), last >= level,
                last > level || newestFirst
            else { return nil }
            return take(last, newest: !newestFirst)
        }
    }

    @Test(
        "A waiting line does what a list does, in any order of arrivals and departures",
        arguments: [1, 3], [false, true])
    func list(levels: Int, newestFirst: Bool) {
        var (line, list) = (
            WaitingLine(levels: levels, newestFirst: newestFirst), List(newestFirst: newestFirst)
        )
        var state: UInt64 = 35
        func draw(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for request in 0..<12_000 as Range<UInt64> {
            // It grows beyond what a line keeps before it moves up, and then becomes empty.
            let isGrowing = request < 6_000
            switch draw(isGrowing ? 12 : 8) {
            case 0, 1: #expect(line.popFirst() == list.popFirst())
            case 2:
                let level = draw(levels)
                #expect(line.popLast(before: level) == list.popLast(before: level))
            case 3, 4:
                guard !list.waiting.isEmpty else { continue }
                line.remove(list.waiting.remove(at: draw(list.waiting.count)).request)
            case 5 where !isGrowing, 6...:
                let level = draw(levels)
                line.append(request, level: level)
                list.waiting.append((request, level))
            default: break
            }
            #expect(line.count == list.waiting.count)
        }
        while let next = list.popFirst() { #expect(line.popFirst() == next) }
        #expect(line.popFirst() == nil && line.popLast(before: 0) == nil && line.count == 0)
    }
}
