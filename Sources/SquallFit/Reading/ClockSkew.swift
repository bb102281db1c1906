/// The differences of the clocks behind several files, from users with calls in two files.
///
/// An app sends the calls of a screen at once; if they go to several servers, the difference of
/// their times is that of the clocks. So many differences between calls of one user in two files
/// are nearly equal: the densest interval of them is the skew.
struct ClockSkew: Sendable {
    /// The index of the file that is compared with the first, from 0.
    let source: Int
    /// The lead of its clock, in nanoseconds; `nil` if unknown.
    let nanoseconds: Int64?

    /// The largest skew that is found.
    private static let most: Int64 = 300_000_000_000
    private static let window: Int64 = 100_000_000
    /// The fewest pairs in the densest interval, and the least ratio of its density to that of
    /// others.
    private static let pairsMin = 20
    private static let clarity = 4
    private static let nextCalls = 24
    private static let pairsMax = 400_000

    /// The skews of files that overlap the first one in time.
    static func all(_ requests: [LoggedRequest], sources: Int) -> [ClockSkew] {
        lazy var order = requests.filter { $0.person != 0 }
            .sorted { ($0.person, $0.began, $0.source) < ($1.person, $1.began, $1.source) }
        return (1..<max(1, sources)).compactMap { source in
            let own = times(requests, source)
            let first = times(requests, 0)
            guard let own, let first, own.lowerBound < first.upperBound,
                first.lowerBound < own.upperBound
            else { return nil }
            return ClockSkew(
                source: source, nanoseconds: peak(differences(order, UInt8(clamping: source))))
        }
    }

    private static func times(_ requests: [LoggedRequest], _ source: Int) -> Range<Int64>? {
        let own = requests.lazy.filter { Int($0.source) == source }.map(\.began)
        guard let first = own.min(), let last = own.max(), first < last else { return nil }
        return first..<last
    }

    /// The differences between calls in one file and calls of the same user in the first, sorted.
    private static func differences(_ order: [LoggedRequest], _ source: UInt8) -> [Int64] {
        var found: [Int64] = []
        for (index, one) in order.enumerated() where found.count < pairsMax {
            guard one.source == 0 || one.source == source else { continue }
            var (seen, place) = (0, index + 1)
            while place < order.count, seen < nextCalls, order[place].person == one.person,
                order[place].began - one.began <= most
            {
                let other = order[place]
                if other.source != one.source, other.source == 0 || other.source == source {
                    found.append(
                        one.source == 0 ? other.began - one.began : one.began - other.began)
                    seen += 1
                }
                place += 1
            }
        }
        return found.sorted()
    }

    /// The middle of the densest interval, if it is much denser than any that does not overlap it.
    private static func peak(_ differences: [Int64]) -> Int64? {
        var best = (from: 0, to: -1)
        var start = 0
        for end in differences.indices {
            while differences[end] - differences[start] > window { start += 1 }
            if end - start >= best.to - best.from { best = (start, end) }
        }
        let count = best.to - best.from + 1
        guard count >= pairsMin else { return nil }
        let (low, high) = (
            differences[best.from] - 20 * window, differences[best.to] + 20 * window
        )
        var other = 0
        start = 0
        for end in differences.indices {
            while differences[end] - differences[start] > window { start += 1 }
            if differences[end] < low || differences[start] > high {
                other = max(other, end - start + 1)
            }
        }
        guard count >= clarity * other else { return nil }
        // If clocks agree, only the time between two calls of one screen differs, so 0 is inside.
        let quarter = count / 4
        let half = differences[best.from + quarter]...differences[best.to - quarter]
        return half.contains(0) ? 0 : differences[(best.from + best.to) / 2]
    }
}
