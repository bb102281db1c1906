import TestSupport
import Testing

@testable import SquallReport

@Suite("Histogram")
struct HistogramTests {
    @Test("Values below 2048 are told apart one by one")
    func smallValuesAreExact() {
        var histogram = Histogram()
        (0..<2048).forEach { histogram.record($0) }
        #expect(Array(histogram.buckets.map(\.lowest)) == Array(0..<2048))
        #expect(histogram.buckets.allSatisfy { $0.lowest == $0.highest && $0.count == 1 })
    }

    @Test(
        "Bucket limits are those HdrHistogram documents for three digits",
        arguments: [
            (2_500, 2_500, 2_501), (8_180, 8_180, 8_183), (8_191, 8_188, 8_191),
            (8_193, 8_192, 8_199), (9_995, 9_992, 9_999), (10_007, 10_000, 10_007),
            (10_009, 10_008, 10_015),
        ] as [(Int64, Int64, Int64)])
    func bucketLimits(value: Int64, lowest: Int64, highest: Int64) {
        var histogram = Histogram()
        histogram.record(value)
        let limits = histogram.buckets.map { [$0.lowest, $0.highest] }
        #expect(Array(limits) == [[lowest, highest]])
    }

    @Test("Every bucket holds its value and is at most a thousandth of it wide", arguments: 1...50)
    func bucketsAreNarrow(seed: UInt64) throws {
        var numbers = Numbers(seed: seed)
        for _ in 0..<4 {
            let value = numbers.next(upToBits: Int(seed) % 63 + 1)
            var histogram = Histogram()
            histogram.record(value)
            let bucket = try #require(Array(histogram.buckets).first)
            #expect(bucket.lowest <= value && value <= bucket.highest)
            #expect(bucket.highest - bucket.lowest <= value / 1_000)
        }
    }

    @Test("The largest integer can be recorded")
    func largestValue() {
        var histogram = Histogram()
        histogram.record(.max)
        #expect(histogram.value(atPercentile: 100) == .max)
        #expect(histogram.maximum == .max)
    }

    @Test("Percentiles agree with a sorted list to one part in a thousand", arguments: 1...50)
    func percentilesMatchSorting(seed: UInt64) {
        var numbers = Numbers(seed: seed)
        let values = (0..<(1 + Int(seed) * 7)).map { _ in numbers.next(upToBits: 40) }.sorted()
        var histogram = Histogram()
        values.forEach { histogram.record($0) }
        let percentiles = [0.1, 1, 25, 50, 90, 95, 99, 99.9, 100]
        let all = histogram.values(atPercentiles: percentiles)
        for (percentile, inOnePass) in zip(percentiles, all) {
            let rank = max(1, (percentile * Double(values.count) / 100 - 1e-9).rounded(.up))
            let exact = values[Int(rank) - 1]
            let value = histogram.value(atPercentile: percentile)
            #expect(exact <= value && value <= exact + exact / 1_000, "p\(percentile)")
            #expect(inOnePass == value, "p\(percentile)")
        }
        histogram.removeAll()
        values.forEach { histogram.record($0 / 3) }
        #expect(histogram.buckets.reduce(0) { $0 + $1.count } == Int64(values.count))
    }

    @Test("No percentile exceeds the largest value or undercuts the smallest")
    func percentilesStayInside() {
        var histogram = Histogram()
        histogram.record(1_000_001)
        #expect(histogram.value(atPercentile: 0) == 1_000_001)
        #expect(histogram.value(atPercentile: 50) == 1_000_001)
    }

    @Test("Merging parts equals recording everything in one", arguments: 1...20)
    func mergingIsExact(seed: UInt64) {
        var numbers = Numbers(seed: seed)
        var (whole, left, right) = (Histogram(), Histogram(), Histogram())
        for position in 0..<500 {
            let value = numbers.next(upToBits: position % 50 + 1)
            whole.record(value)
            if position % 3 == 0 { left.record(value) } else { right.record(value) }
        }
        var merged = right
        merged.merge(left)
        left.merge(right)
        #expect(left == whole && merged == whole)
    }

    @Test("Sum and mean are exact where a 64-bit sum would overflow")
    func sumIsWide() {
        var histogram = Histogram()
        histogram.record(.max, times: 4)
        #expect(histogram.sum == Int128(Int64.max) * 4)
        #expect(histogram.mean == Double(Int64.max))
    }

    @Test("The standard deviation is that of the population")
    func standardDeviation() {
        var histogram = Histogram()
        [2, 4, 4, 4, 5, 5, 7, 9].forEach { histogram.record($0) }
        #expect(histogram.standardDeviation == 2)
    }

    @Test("Equal values have no deviation, though their bucket is wide")
    func noDeviation() {
        var histogram = Histogram()
        histogram.record(93_511_681_777, times: 3)
        #expect(histogram.standardDeviation == 0)
    }

    @Test("An empty histogram answers zero to everything")
    func empty() {
        let histogram = Histogram()
        #expect(histogram.count == 0 && histogram.minimum == 0 && histogram.maximum == 0)
        #expect(histogram.mean == 0 && histogram.standardDeviation == 0)
        #expect(histogram.values(atPercentiles: [50, 99]) == [0, 0])
    }

    @Test("A negative value stops the program")
    func negativeValue() async {
        await #expect(processExitsWith: .failure) {
            var histogram = Histogram()
            histogram.record(-1)
        }
    }

    @Test("The difference of two histograms has its own smallest and largest value, to a cell")
    func since() {
        var histogram = Histogram()
        [5, 1_000_000].forEach { histogram.record($0) }
        let earlier = histogram
        [1_000, 2_000].forEach { histogram.record($0) }
        let later = histogram.since(earlier)
        #expect(later.count == 2 && later.sum == 3_000)
        #expect(later.minimum == 1_000 && later.maximum == 2_000)
        #expect(histogram.since(Histogram()) == histogram)
    }

    @Test("Spans up to an end are counted in blocks as one by one", arguments: 1...20)
    func blocks(seed: Int) {
        var moments: [Int64] = [Int64(seed)]
        for index in 0..<1_000 {
            moments.append(
                moments[index] + Int64((index * seed * 7_919) % (index < 500 ? 90 : 90_000)))
        }
        let end = (moments.last ?? 0) + Int64(seed * seed * seed)
        var blocks = Histogram()
        blocks.record(from: moments[...], to: end)
        var single = Histogram()
        for moment in moments { single.record(end - moment) }
        #expect(blocks == single)
    }
}
