import SquallKernel
import Testing

@testable import SquallAnswers
@testable import SquallLab

@Suite("Where a level changes")
struct ChangePointTests {
    private func changes(_ rows: [[Double]]) -> [[Int]] {
        var points = ChangePoints(draws: 999)
        return points.find(in: rows.map { $0.map { [$0] } }).map(\.changes)
    }

    @Test(
        "A step is found where it is, and several are; too few numbers find none",
        arguments: [
            ([5, 5, 5, 5, 9, 9, 9, 9], [4]), ([5, 5, 5, 9, 9, 9], []),
            ([1, 2, 1, 2, 1, 2, 1, 2], []), ([5, 5, 5, 5, 5, 5, 5, 9], []), ([], []), ([7], []),
            ([0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 2, 2, 2, 2, 2], [5, 10]),
            ([7, 7, 7, 7, 7, 7, 7, 7], []), ([0.1, 0.3, 0.2], []),
            ([10, 10.1, 9.9, 10, 20.1, 20, 19.9, 20.1], [4]),
        ] as [([Double], [Int])])
    func steps(values: [Double], expected: [Int]) {
        #expect(changes([values]) == [expected])
    }

    @Test("Replications find a change of the newest of two releases")
    func replications() {
        var points = ChangePoints(draws: 999)
        let found = points.find(in: [[[5, 5.1, 4.9, 5, 5.2], [6, 6.1, 5.9, 6, 6.2]]])
        #expect(found.map(\.changes) == [[1]])
        #expect(found.first?.detectable != nil)
    }

    @Test("Rows are tested together: one that changes is marked, and noise beside it is not")
    func rows() {
        let step: [Double] = [1, 2, 1, 2, 90, 91, 90, 91]
        let noise: [Double] = [3, 9, 4, 8, 3, 9, 4, 8]
        #expect(changes([noise, step, noise]) == [[], [4], []])
    }

    enum Noise: CaseIterable { case continuous, tied, skewed }

    @Test(
        "Of pages on which nothing changes at most five in a hundred show one",
        arguments: Noise.allCases)
    func noise(kind: Noise) {
        let random = RandomStream(seed: 5).stream(named: "\(kind)")
        var drawn: UInt64 = 0
        func unit() -> Double {
            drawn += 1
            return random.unit(at: drawn)
        }
        func number() -> Double {
            switch kind {
            case .continuous: unit() + unit() + unit()
            case .tied: unit() < 0.7 ? 2 : 1.96
            case .skewed: PortableMath.exp(6 * unit())
            }
        }
        var points = ChangePoints(draws: 199)
        let pages = 1_000
        let found = (0..<pages).count { _ in
            let rows = (0..<3).map { _ in (0..<8).map { _ in [number()] } }
            return points.find(in: rows).contains { !$0.changes.isEmpty }
        }
        // Three standard errors of so many pages.
        #expect(Double(found) / Double(pages) < 0.05 + 0.021)
    }
}
