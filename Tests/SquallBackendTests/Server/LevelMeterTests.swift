import Testing

@testable import SquallBackend

@Suite("A level over time")
struct LevelMeterTests {
    @Test("A span that begins while the line is long has that length as its highest")
    func restart() {
        var meter = LevelMeter()
        meter.set(9, at: 10)
        meter.set(5, at: 20)
        meter.restart(at: 30)
        // Nobody joins the line any more: without the level at its start it would have been empty.
        meter.set(4, at: 40)
        meter.set(0, at: 50)
        #expect(meter.highest == 5)
        #expect(meter.mean(at: 50) == 4.5)
    }

    @Test("The mean is over the whole span, whether or not anything changes in it")
    func idleSpan() {
        var meter = LevelMeter()
        meter.set(2, at: 0)
        meter.set(0, at: 10)
        meter.stop(at: 100)
        meter.set(7, at: 200)
        #expect(meter.mean(at: 900) == 0.2)
    }
}
