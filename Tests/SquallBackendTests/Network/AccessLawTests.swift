import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Published travel times")
struct AccessLawTests {
    /// Round trips of a law in milliseconds, sorted.
    private func roundTrips(_ access: NetworkClass.Access) -> [Double] {
        let stream = RandomStream(seed: 3).stream("access")
        return (0..<20_000).map { (number: UInt64) in
            let up = access.way.sample(stream, at: 2 * number)
            let down = access.way.sample(stream, at: 2 * number + 1)
            return Double(up + down) / 1e6
        }.sorted()
    }

    @Test(
        "Means and medians are those that were published",
        arguments: [
            (NetworkClass.Access.wifi, 30.0, 110.0, nil), (.lte, nil, 34.4, 21.0),
            (.fiveG, nil, 31.1, 19), (.poor, 150, 275, nil),
        ] as [(NetworkClass.Access, Double?, Double, Double?)])
    func published(access: NetworkClass.Access, median: Double?, ninth: Double, mean: Double?) {
        let trips = roundTrips(access)
        let found = trips.reduce(0, +) / Double(trips.count)
        if let median { #expect((trips[10_000] / median - 1).magnitude < 0.03) }
        if let mean { #expect((found / mean - 1).magnitude < 0.02) }
        #expect((trips[18_000] / ninth - 1).magnitude < 0.04)
    }
}
