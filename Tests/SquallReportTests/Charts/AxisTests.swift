import SquallFormat
import Testing

@testable import SquallReport

@Suite("Axis")
struct AxisTests {
    @Test(
        "A linear axis ends at or above the highest value, in steps people count in",
        arguments: [
            (0.9, ["0", "0.2", "0.4", "0.6", "0.8", "1"]), (4.0, ["0", "1", "2", "3", "4"]),
            (83.0, ["0", "20", "40", "60", "80", "100"]),
            (1_001.0, ["0", "500", "1 000", "1 500"]),
        ])
    func linear(highest: Double, labels: [String]) {
        let ticks = Axis.linear(to: highest).ticks
        #expect(ticks.map(\.label) == labels)
        #expect(ticks.first?.place == 0 && ticks.last?.place == 1)
    }

    @Test("Every power of ten takes the same room on a logarithmic axis")
    func durations() {
        let axis = Axis.durations(from: 3_000_000, to: 1_000_000_000)
        #expect(axis.ticks.map(\.label) == ["1 ms", "10 ms", "100 ms", "1 s"])
        for (tick, place) in zip(axis.ticks, [0, 1.0 / 3, 2.0 / 3, 1]) {
            #expect(abs(tick.place - place) < 1e-8)
        }
    }

    @Test("Less than two powers of ten are divided further, and begin where the values do")
    func shortDurations() {
        let axis = Axis.durations(from: 73_000_000, to: 400_000_000)
        #expect(axis.ticks.map(\.label) == ["50 ms", "100 ms", "200 ms"])
        #expect(axis.ticks.first?.place == 0)
    }

    @Test(
        "Every further nine takes the same room on a percentile axis, and half of all almost none")
    func percentiles() {
        let axis = Axis.percentiles(nines: 4)
        #expect(axis.ticks.map(\.label) == ["0 %", "90 %", "99 %", "99.9 %", "99.99 %"])
        // log10(2) of four decades; there is no room for its label beside the first.
        for (tick, place) in zip(axis.ticks, [0, 0.25, 0.5, 0.75, 1]) {
            #expect(abs(tick.place - place) < 1e-5)
        }
        #expect(abs(axis.place(of: 2) - 0.301_03 / 4) < 1e-5)
        #expect(Axis.percentiles(nines: 2).ticks.map(\.label) == ["0 %", "50 %", "90 %", "99 %"])
    }

    @Test(
        "Virtual time is divided as clocks divide it",
        arguments: [(10, "2s", 6), (603, "2m", 6), (3_600, "10m", 7), (86_400, "3h", 9)])
    func time(seconds: Int64, second: String, count: Int) {
        let ticks = Axis.time(toNanoseconds: seconds * 1_000_000_000).ticks
        #expect(ticks.count == count)
        #expect(ticks.dropFirst().first?.label == second)
    }

    @Test("A value off the scale is drawn at its nearer end")
    func offScale() {
        let axis = Axis.durations(from: 1_000_000, to: 1_000_000_000)
        #expect(axis.place(of: 0) == 0)
        #expect(axis.place(of: 1e12) == 1)
    }
}

@Suite("Lines of a chart")
struct ShapeTests {
    @Test("A piece of a line of steps names one coordinate, and level pieces in a row are one")
    func steps() {
        let places = [(0.0, 0.5), (0.1, 0.5), (0.2, 0.5), (0.2, 0.7), (0.3, 0.7), (0.4, 0.8)]
        let line = Shape.line(places.map { (x: $0.0, y: $0.1) }, "p95")
        #expect(line.source.contains(#"d="M0 500h200v-200h100l100 -100""#), "\(line.source)")
    }
}
