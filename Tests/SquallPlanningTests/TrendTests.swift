import SquallKernel
import SquallPlanning
import Testing

@Suite("Where a level changes")
struct ChangePointTests {
    @Test(
        "A step is found where it is, and several are",
        arguments: [
            ([5, 5, 5, 9, 9, 9], [3]), ([5, 5, 5, 5, 5, 9], [5]), ([1, 2, 1, 2, 1, 2], []),
            ([0, 0, 0, 0, 8, 8, 8, 8, 2, 2, 2, 2], [4, 8]), ([0.1, 0.3, 0.2], []), ([], []),
            ([7, 7, 7, 7], []), ([10, 10.1, 9.9, 10, 20.1, 20, 19.9, 20.1], [4]),
        ] as [([Double], [Int])])
    func steps(values: [Double], expected: [Int]) {
        #expect(ChangePoints.indices(in: values) == expected)
    }

    @Test("Noise alone changes in at most one row of twenty", arguments: [4, 6, 8, 12, 30])
    func noise(count: Int) {
        let random = RandomStream(seed: UInt64(count)).stream("noise")
        let rows = 2_000
        let found = (0..<rows).count { number in
            // The sum of twelve even numbers is normal but for its tails.
            let row = (0..<count).map { place in
                (0..<12).reduce(0) { sum, part in
                    sum + random.unit(at: UInt64((number * count + place) * 12 + part))
                }
            }
            return !ChangePoints.indices(in: row).isEmpty
        }
        // Five in a hundred, and three standard errors of so many rows.
        #expect(Double(found) / Double(rows) < 0.05 + 3 * (0.05 * 0.95 / Double(rows)).squareRoot())
    }
}
