import SquallFormat
import SquallKernel
import SquallLab

/// Finds where the level of figures changes, such as a latency from release to release.
///
/// Each row is divided where that explains the largest share of its squares. How large a share
/// chance alone explains is found by permutation: the numbers of all rows together, in the same new
/// order, as often as there are `draws` (Westfall and Young, *Resampling-Based Multiple Testing*,
/// 1993, step-down max T). So the test is valid for tied, discrete and skewed numbers, and counts
/// the places tried and the rows on the page: of pages on which nothing changes at most 5 in 100
/// show a change. Where a release has several replications, all of their numbers are put in a new
/// order. Both sides of a change are then searched likewise, each by itself.
///
/// The price is that few numbers can say nothing: of single runs it takes eight releases, and
/// three on either side of the change (2 of the 56 orders of 3 and 5); with five replications each,
/// two releases.
struct ChangePoints {
    /// The share of pages without a change that may show one.
    static let level = 0.05

    private let draws: Int
    private let random = RandomStream(seed: 1).stream("trend")
    private var orders: [Int: [[Int]]] = [:]

    /// A figure: for each release the numbers of its replications, at least one.
    typealias Row = [[Double]]

    /// What was found in a row.
    struct Found: Equatable {
        /// The indices of the first release at each new level, in order.
        var changes: [Int] = []
        /// The difference between two halves that would be found half of the time; nil where none
        /// can be found.
        var detectable: Double?
    }

    init(draws: Int = 9_999) { self.draws = draws }

    /// Tests the rows of a page together.
    mutating func find(in rows: [Row]) -> [Found] {
        var found = rows.map { _ in Found() }
        let known = rows.indices.filter { Division(rows[$0]).best != nil }
        let shares = known.map { permuted(rows[$0]) }
        var left = Array(known.indices)
        var critical = 1.0
        while !left.isEmpty {
            let most = (0..<draws).map { draw in left.map { shares[$0][draw] }.max() ?? 0 }
            critical = Self.critical(most)
            let best = left.compactMap { place in
                Division(rows[known[place]]).best.map { (place: place, share: $0.share) }
            }.max { $0.share < $1.share }
            guard let best, Self.isChange(best.share, among: most) else { break }
            left.removeAll { $0 == best.place }
            found[known[best.place]].changes = changes(in: rows[known[best.place]])
        }
        for index in known {
            found[index].detectable = detectable(rows[index], found[index].changes, critical)
        }
        return found
    }

    /// The change that a page's test found in a row, and those on both sides of it.
    private mutating func changes(in row: Row) -> [Int] {
        guard let best = Division(row).best else { return [] }
        return sides(Array(row[..<best.place]), from: 0) + [best.place]
            + sides(Array(row[best.place...]), from: best.place)
    }

    private mutating func sides(_ row: Row, from start: Int) -> [Int] {
        guard let best = Division(row).best, Self.isChange(best.share, among: permuted(row)) else {
            return []
        }
        return sides(Array(row[..<best.place]), from: start) + [start + best.place]
            + sides(Array(row[best.place...]), from: start + best.place)
    }

    /// The best share of each new order of a row's numbers.
    private mutating func permuted(_ row: Row) -> [Double] {
        let division = Division(row)
        return orders(of: division.numbers.count).map { division.bestShare(in: $0) }
    }

    private mutating func orders(of count: Int) -> [[Int]] {
        if let known = orders[count] { return known }
        let made = (0..<draws).map { draw in
            var order = Array(0..<count)
            let stream = random.stream(number: UInt64(draw))
            for last in stride(from: count - 1, to: 0, by: -1) {
                order.swapAt(last, Int(stream.integer(below: UInt64(last + 1), at: UInt64(last))))
            }
            return order
        }
        orders[count] = made
        return made
    }

    /// Whether at most 5 of 100 orders, the one at hand among them, explain as much.
    private static func isChange(_ share: Double, among shares: [Double]) -> Bool {
        let reached = shares.count { $0 >= share - 1e-9 } + 1
        return Double(reached) <= level * Double(shares.count + 1)
    }

    /// The share that is exceeded by chance in 5 of 100 orders.
    private static func critical(_ shares: [Double]) -> Double {
        shares.ordered(by: <)[Int(Double(shares.count) * (1 - level))]
    }

    private func detectable(_ row: Row, _ changes: [Int], _ critical: Double) -> Double? {
        guard critical < 1 - 1e-9 else { return nil }
        let bounds = [0] + changes + [row.count]
        let levels = zip(bounds, bounds.dropFirst()).map { Array(row[$0..<$1].joined()) }
        let numbers = Double(row.joined().count)
        let rest = levels.reduce(0.0) { sum, level in
            level.reduce(sum) { $0 + ($1 - level.mean) * ($1 - level.mean) }
        }
        // Both halves have half of the numbers; t of their means as a share of the squares.
        let spread = (rest / max(1, numbers - Double(levels.count))).squareRoot()
        let t = (critical / (1 - critical) * (numbers - 2)).squareRoot()
        return t * spread * 2 / numbers.squareRoot()
    }
}

/// Where a row of numbers can be divided: between its releases.
private struct Division {
    let numbers: [Double]
    /// How many numbers the releases before each place have.
    private let counts: [Int]
    /// The sum of squares around the mean; 0 where all are the same.
    private let squares: Double

    init(_ row: ChangePoints.Row) {
        let all = Array(row.joined())
        let mean = all.isEmpty ? 0 : all.mean
        numbers = all.map { $0 - mean }
        counts = row.dropLast().reduce(into: []) { $0.append(($0.last ?? 0) + $1.count) }
        let sum = numbers.reduce(0) { $0 + $1 * $1 }
        // Rounding makes sums of equal decimal numbers differ in their last bits.
        let scale = all.map(\.magnitude).max() ?? 0
        squares = sum > scale * scale * 1e-18 * Double(all.count) ? sum : 0
    }

    /// The place at which a division explains most, and its share; nil where all are the same.
    var best: (place: Int, share: Double)? {
        guard squares > 0, !counts.isEmpty else { return nil }
        let shares = shares(in: Array(numbers.indices))
        let most = shares.max() ?? 0
        return shares.firstIndex { $0 >= most - 1e-12 }.map { ($0 + 1, most) }
    }

    func bestShare(in order: [Int]) -> Double { shares(in: order).max() ?? 0 }

    /// The share of the squares that each place explains, with the numbers in some order.
    private func shares(in order: [Int]) -> [Double] {
        var (place, sum) = (0, 0.0)
        return counts.map { count in
            while place < count {
                sum += numbers[order[place]]
                place += 1
            }
            // The means are sum / n and −sum / (m − n), as all numbers together make 0.
            let (own, rest) = (Double(count), Double(numbers.count - count))
            return sum * sum * (1 / own + 1 / rest) / squares
        }
    }
}
