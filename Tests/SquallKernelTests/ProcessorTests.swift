import Foundation
import SquallKernel
import Testing

/// Constants that any supported processor must reproduce: measured on x86-64, and on arm64 by
/// another version of the compiler and of the C library.
@Suite("Every processor gives the same bits")
struct ProcessorTests {
    @Test("Logarithm, exponential and quantile of 60,000 numbers have the known hash")
    func portableMath() {
        let stream = RandomStream(seed: 7)
        var hash = Hash()
        for n in 0..<60_000 as Range<UInt64> {
            let x = stream.unit(at: n)
            hash.add(PortableMath.log(x * 1e6 + 1e-9).bitPattern)
            hash.add(PortableMath.exp((x - 0.5) * 1_400).bitPattern)
            if x > 0 { hash.add(PortableMath.normalQuantile(x).bitPattern) }
        }
        #expect(hash.text == "73b69c6ac761bb7d")
    }

    @Test("Draws from seven laws have the known hash")
    func laws() {
        let stream = RandomStream(seed: 7)
        let laws: [Distribution] = [
            .exponential(mean: 1_000_000), .logNormal(median: 1_000_000, sigma: 0.5),
            .pareto(scale: 1_000_000, shape: 1.4), .erlang(stages: 3, mean: 5_000_000),
            .hyperexponential(mean: 1_000_000, squaredVariation: 4),
            .normal(mean: 9_000_000, deviation: 1_000_000), .uniform(low: 3, high: 77_777),
        ]
        var hash = Hash()
        for (number, law) in laws.enumerated() {
            let own = stream.stream(number: UInt64(number))
            for n in 0..<20_000 as Range<UInt64> {
                hash.add(UInt64(bitPattern: law.sample(own, at: n)))
            }
        }
        #expect(hash.text == "f2fe615d52648e4f")
    }

    @Test("Tasks, actors, groups, sleeps, dates and random numbers of a world have the known hash")
    func world() throws {
        let world = MixedWorld()
        try world.run()
        #expect(world.result == "d7d6efd5df094f92")
    }
}

/// Forty tasks that sleep, meet on actors and read the clock and the generator of their world.
private final class MixedWorld: @unchecked Sendable {
    // Safe because a world runs on one thread.

    private let simulation = Simulation()
    private let notes = Notes()
    private(set) var result = ""

    func run() throws {
        for user in 0..<40 as Range<UInt64> {
            simulation.spawn { [self] in await act(user) }
        }
        let begin = simulation.now.nanoseconds
        _ = try simulation.run(until: Instant(nanoseconds: begin + 7_200_000_000_000))
    }

    private func act(_ user: UInt64) async {
        let stream = RandomStream(seed: 3).stream(number: user)
        let law = Distribution.logNormal(median: 1_000_000_000, sigma: 0.7)
        for turn in 0..<20 as Range<UInt64> {
            try? await Task.sleep(for: .nanoseconds(law.sample(stream, at: turn)))
            await notes.add(UInt64(bitPattern: simulation.now.nanoseconds) ^ user)
            await visitMainActor()
            await notes.add(await threeAtOnce())
        }
        guard user == 0 else { return }
        try? await Task.sleep(for: .seconds(600))
        result = await notes.hash.text
    }

    private func threeAtOnce() async -> UInt64 {
        await withTaskGroup(of: UInt64.self) { group in
            for number in 0..<3 as Range<UInt64> {
                group.addTask {
                    try? await Task.sleep(nanoseconds: 1_000 * (number + 1))
                    return UInt64(Date().timeIntervalSince1970 * 1_000) &+ number
                        &+ UInt64.random(in: 0..<1_000_000)
                }
            }
            return await group.reduce(0, &+)
        }
    }

    @MainActor private func visitMainActor() {}

    private actor Notes {
        var hash = Hash()
        func add(_ word: UInt64) { hash.add(word) }
    }
}

/// An order-dependent hash of words.
private struct Hash {
    private var value: UInt64 = 1
    var text: String { String(value, radix: 16) }

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        value ^= value >> 29
    }
}
