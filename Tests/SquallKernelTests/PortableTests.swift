import Foundation
import SquallFormat
import Testing

@testable import SquallKernel

@Suite("Functions with the same bits on every system")
struct PortableTests {
    @Test(
        "The logarithm of the gamma function is right to 14 digits, below 1 to 14 places",
        arguments: [
            (0.5, 0.57236494292470008707), (1.5, -0.12078223763524522234),
            (10, 12.801827480081469611), (100, 359.13420536957539878),
        ])
    func gamma(value: Double, expected: Double) {
        #expect(abs(PortableMath.logGamma(value) - expected) <= max(1, abs(expected)) * 1e-14)
    }

    @Test(
        "The complementary error function is right to 13 digits",
        arguments: [
            (0, 1), (0.5, 0.47950012218695346232), (1.9, 0.0072095707647425310756),
            (2, 0.0046777349810472658379), (5, 1.5374597944280348502e-12),
            (-1, 1.8427007929497148693), (30, 0),
        ])
    func error(value: Double, expected: Double) {
        #expect(abs(PortableMath.erfc(value) - expected) <= expected * 1e-13)
    }

    @Test("10,000 numbers agree with the C library to 13 digits, and have the known bits")
    func library() {
        let stream = RandomStream(seed: 11)
        var hash = StableHash()
        var worst = 0.0
        for n in 0..<10_000 as Range<UInt64> {
            let x = stream.unit(at: n)
            let pairs = [
                (PortableMath.log(x * 1e9 + 1e-9), Foundation.log(x * 1e9 + 1e-9)),
                (PortableMath.exp(x * 200 - 100), Foundation.exp(x * 200 - 100)),
                (PortableMath.logGamma(x * 50 + 3), Foundation.lgamma(x * 50 + 3)),
                (PortableMath.erfc(x * 8 - 4), Foundation.erfc(x * 8 - 4)),
            ]
            for (own, other) in pairs {
                hash.mix(own.bitPattern)
                worst = max(worst, abs(own - other) / max(abs(other), 1e-300))
            }
        }
        #expect(worst < 1e-13)
        #expect(hash.value.hexadecimal == "a97a74cf37e79d6a")
    }

    @Test("What is not finite is as in the C library")
    func edges() {
        #expect(PortableMath.log(0) == -.infinity && PortableMath.log(.infinity) == .infinity)
        #expect(
            PortableMath.log(-1).isNaN && PortableMath.exp(.nan).isNaN
                && PortableMath.erfc(.nan).isNaN)
        #expect(PortableMath.exp(-800) == 0 && PortableMath.exp(800) == .infinity)
        #expect(PortableMath.logGamma(0) == .infinity)
    }
}
