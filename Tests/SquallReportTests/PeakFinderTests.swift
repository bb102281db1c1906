import Testing

@testable import SquallReport

@Suite("Peaks of refreshes, and recoveries")
struct PeakFinderTests {
    @Test("A peak is found with its start, peak and end, and how long the steps took to return")
    func wholePeak() throws {
        // A refresh a second; at 60 s a peak of twenty seconds, where only 2 of 10 steps succeed.
        var rows = Rows(seconds: 200)
        for second in 60..<80 { rows.refreshes[second] = second == 65 ? 90 : 40 }
        for second in 60..<85 { rows.failed[second] = 8 }
        let finder = PeakFinder(rows.series, measuredFrom: 0)
        let peak = try #require(finder.ofOnePopulation.first)
        #expect(finder.ofOnePopulation.count == 1)
        #expect(peak.startNanoseconds == 60 * Rows.second)
        #expect(peak.peakNanoseconds == 65 * Rows.second && peak.peakPerSecond == 90)
        #expect(peak.endNanoseconds == 80 * Rows.second)
        #expect(peak.refreshes == 19 * 40 + 90)
        // Ten seconds average nine steps from 85 − 1.25 s on: rows 84…93 hold 2 + 9 · 10 = 92.
        #expect(peak.recovery.afterNanoseconds == 24 * Rows.second)
    }

    @Test("A system has not recovered while its peak of refreshes goes on")
    func peakWithoutLoss() throws {
        var rows = Rows(seconds: 200)
        for second in 60..<94 { rows.refreshes[second] = 40 }
        let finder = PeakFinder(rows.series, measuredFrom: 0)
        let peak = try #require(finder.ofOnePopulation.first)
        #expect(peak.recovery.afterNanoseconds == 34 * Rows.second)
        let fault = finder.fault(
            "expireAllTokens", from: 60 * Rows.second, until: 60 * Rows.second)
        #expect(fault.recovery.afterNanoseconds == 34 * Rows.second)
    }

    @Test("A whole has not recovered before its slowest part has, nor when one never does")
    func parts() throws {
        var (whole, quick, slow) = (Rows(seconds: 200), Rows(seconds: 200), Rows(seconds: 200))
        for second in 60..<70 { whole.refreshes[second] = 40 }
        for second in 60..<80 { quick.failed[second] = 9 }
        for second in 60..<100 { slow.failed[second] = 9 }
        func recovery() throws -> Recovery {
            let parts = [quick, slow].map { PeakFinder($0.series, measuredFrom: 0) }
            let finder = PeakFinder(whole.series, measuredFrom: 0)
            return try #require(finder.peaks(recoveringAs: parts).first).recovery
        }
        // Rows 99…108 hold 1 + 9 · 10 = 91 of 100.
        #expect(try recovery() == .after(nanoseconds: 39 * Rows.second))
        for second in 100..<200 { slow.failed[second] = 9 }
        #expect(try recovery() == .never)
    }

    @Test("Where nothing was measured before a peak there is nothing to recover to")
    func fromTheBeginning() throws {
        var rows = Rows(seconds: 100)
        for second in 0..<10 { rows.refreshes[second] = 40 }
        let peak = try #require(PeakFinder(rows.series, measuredFrom: 0).ofOnePopulation.first)
        #expect(peak.recovery == .unknown)
    }

    @Test("A steady stream of refreshes is no peak, and neither are a few at once")
    func calm() {
        var rows = Rows(seconds: 100)
        #expect(PeakFinder(rows.series, measuredFrom: 0).ofOnePopulation.isEmpty)
        rows.refreshes = Array(repeating: 0, count: 100)
        rows.refreshes[50] = 9
        #expect(PeakFinder(rows.series, measuredFrom: 0).ofOnePopulation.isEmpty)
        rows.refreshes[50] = 10
        #expect(PeakFinder(rows.series, measuredFrom: 0).ofOnePopulation.count == 1)
    }

    @Test("Five quiet seconds end a peak, four do not", arguments: [(4, 1), (5, 2)])
    func quiet(seconds: Int, peaks: Int) {
        var rows = Rows(seconds: 300)
        for second in [100..<110, 110 + seconds..<120 + seconds].joined() {
            rows.refreshes[second] = 40
        }
        #expect(PeakFinder(rows.series, measuredFrom: 0).ofOnePopulation.count == peaks)
    }

    @Test("The peak is that of what is measured")
    func peak() {
        var rows = Rows(seconds: 100)
        rows.refreshes[10] = 500
        rows.refreshes[90] = 51
        #expect(PeakFinder(rows.series, measuredFrom: 50 * Rows.second).peakPerSecond == 51)
    }

    @Test("A system that stays down after its fault is metastable, one that returns is not")
    func faults() {
        var rows = Rows(seconds: 300)
        for second in 100..<300 { rows.failed[second] = 9 }
        let down = PeakFinder(rows.series, measuredFrom: 0)
            .fault("drop", from: 100 * Rows.second, until: 130 * Rows.second)
        #expect(down.goodputBefore == 10 && down.goodputAfter == 1 && down.recovery == .metastable)
        // Less than half of what it was is metastable, half of it is not.
        for (failed, isMetastable) in [(Int64(6), true), (5, false)] {
            for second in 100..<300 { rows.failed[second] = failed }
            let low = PeakFinder(rows.series, measuredFrom: 0)
                .fault("drop", from: 100 * Rows.second, until: 130 * Rows.second)
            #expect((low.recovery == .metastable) == isMetastable && low.recovery != .unknown)
        }
        for second in 100..<140 { rows.failed[second] = 9 }
        for second in 140..<300 { rows.failed[second] = 0 }
        let back = PeakFinder(rows.series, measuredFrom: 0)
            .fault("drop", from: 100 * Rows.second, until: 130 * Rows.second)
        #expect(back.goodputAfter == 10 && back.recovery != .metastable)
        // Rows 139…148 hold 1 + 9 · 10 = 91 of 100.
        #expect(back.recovery.afterNanoseconds == 9 * Rows.second)
    }

    @Test("Steps that had nothing to do bring nobody anything")
    func idle() {
        var rows = Rows(seconds: 300)
        for second in 100..<300 { (rows.failed[second], rows.idle[second]) = (4, 5) }
        let row = PeakFinder(rows.series, measuredFrom: 0)
            .fault("drop", from: 100 * Rows.second, until: 130 * Rows.second)
        #expect(row.goodputBefore == 10 && row.goodputAfter == 1 && row.recovery == .metastable)
    }

    @Test("The level is that of the minute before and of the last one, however long a row is")
    func coarse() {
        var rows = Rows(seconds: 300)
        // In rows of 10 s the minute before 100 s is rows 4…9, the last one rows 24…29.
        for second in 0..<40 { rows.failed[second] = 10 }
        for second in 240..<300 { rows.failed[second] = 5 }
        let row = PeakFinder(rows.series(bySeconds: 10), measuredFrom: 0)
            .fault("drop", from: 100 * Rows.second, until: 130 * Rows.second)
        #expect(row.goodputBefore == 10 && row.goodputAfter == 5)
    }

    @Test(
        "A fault before what is measured, or as it begins, has nothing to come back to",
        arguments: [0, 59, 60] as [Int64])
    func warmUp(second: Int64) {
        let rows = Rows(seconds: 300)
        let row = PeakFinder(rows.series, measuredFrom: 60 * Rows.second)
            .fault("drop", from: second * Rows.second, until: (second + 5) * Rows.second)
        #expect(row.goodputBefore == nil && row.goodputAfter == 10)
        #expect(row.recovery == .unknown)
    }

    @Test(
        "A recovery is unknown with less than ten seconds of load left, and absent with ten",
        arguments: [
            (5, .unknown), (9, .unknown), (10, .metastable), (60, .metastable),
        ] as [(Int, Recovery)])
    func leftOver(seconds: Int, recovery: Recovery) {
        var rows = Rows(seconds: 100 + seconds)
        for second in 90..<100 + seconds { rows.failed[second] = 10 }
        let row = PeakFinder(rows.series, measuredFrom: 0)
            .fault("drop", from: 90 * Rows.second, until: 100 * Rows.second)
        #expect(row.recovery == recovery)
    }

    @Test("A few steps less than before are chance: nobody knows whether that is a recovery")
    func chance() {
        var rows = Rows(seconds: 120)
        // One step a second before, two in three seconds after it: 8 where 10.8 would do.
        for second in 0..<120 { rows.failed[second] = 9 }
        for second in 100..<120 where second % 3 == 0 { rows.failed[second] = 10 }
        let calm = PeakFinder(rows.series, measuredFrom: 0)
        let few = calm.fault("drop", from: 100 * Rows.second, until: 108 * Rows.second)
        #expect(few.recovery == .unknown)
        for second in 100..<120 { rows.failed[second] = 10 }
        let none = PeakFinder(rows.series, measuredFrom: 0)
            .fault("drop", from: 100 * Rows.second, until: 101 * Rows.second)
        #expect(none.recovery == .metastable)
    }

    @Test("With as many useful steps as before nothing says that it has not recovered")
    func peakGoesOn() {
        var rows = Rows(seconds: 200)
        for second in 160..<200 { rows.refreshes[second] = 40 }
        let row = PeakFinder(rows.series, measuredFrom: 0)
            .fault("drop", from: 160 * Rows.second, until: 160 * Rows.second)
        #expect(row.goodputAfter == 10 && row.recovery == .unknown)
    }

    @Test("A recovery is judged without the time after the end of the run")
    func drain() {
        var rows = Rows(seconds: 300)
        for second in 200..<300 { rows.failed[second] = 10 }
        let finder = PeakFinder(rows.series, measuredFrom: 0, until: 200 * Rows.second)
        let row = finder.fault("drop", from: 60 * Rows.second, until: 90 * Rows.second)
        #expect(row.goodputAfter == 10 && row.recovery.afterNanoseconds == 0)
        let endless = finder.fault("drop", from: 60 * Rows.second, until: 200 * Rows.second)
        #expect(endless.goodputAfter == nil && endless.recovery != .metastable)
    }
}

/// A time series with ten steps and one refresh a second, unless said otherwise.
private struct Rows {
    static let second: Int64 = 1_000_000_000

    var refreshes: [Int64]
    var failed: [Int64]
    var idle: [Int64]

    init(seconds: Int) {
        refreshes = Array(repeating: 1, count: seconds)
        failed = Array(repeating: 0, count: seconds)
        idle = failed
    }

    var series: TimeSeries { series(bySeconds: 1) }

    func series(bySeconds interval: Int64) -> TimeSeries {
        var timeline = TimeSeries(
            columns: TimelineColumn.builtIn, intervalNanoseconds: interval * Rows.second)
        for row in refreshes.indices {
            let moment = Int64(row) * Rows.second
            timeline.count(.stepsEnded, 10 - idle[row], at: moment)
            timeline.count(.stepsFailed, failed[row], at: moment)
            timeline.count(.stepsIdle, idle[row], at: moment)
            timeline.count(.refreshes, refreshes[row], at: moment)
        }
        return timeline
    }
}
