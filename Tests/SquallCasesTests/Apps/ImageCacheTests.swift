import Testing

@testable import SquallCases

@Suite("The images that a phone keeps")
struct ImageCacheTests {
    /// Where the kept bits of a second begin anew.
    private static let turn: Int64 = 1 << 26

    @Test("An image is kept until its expiry and not at it", arguments: [0, 1, 100, 604_800])
    func expiry(before: Int64) {
        var cache = ImageCache()
        for moment in [1_724_434_004, 27 * Self.turn - before, 27 * Self.turn + before] {
            let expiry = moment + ImageLoader.lifetimeSeconds
            cache.keep(7 << 40, until: expiry)
            #expect(cache.holds(7 << 40, at: moment) && cache.holds(7 << 40, at: expiry - 1))
            #expect(!cache.holds(7 << 40, at: expiry) && !cache.holds(7 << 40, at: expiry + 1))
        }
        #expect(cache.count == 1)
    }

    @Test("As many images are kept as came, each until its own expiry", arguments: 1...20)
    func many(seed: UInt64) {
        var cache = ImageCache()
        var expiries: [UInt64: Int64] = [:]
        var bits = seed
        for number in 0..<200 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Some come again.
            let key = number % 5 == 4 ? expiries.keys.min() ?? 0 : bits
            expiries[key] = Int64(number * 3_000)
            cache.keep(key, until: Int64(number * 3_000))
        }
        #expect(cache.count == expiries.count)
        for (key, expiry) in expiries {
            #expect(cache.holds(key, at: expiry - 1) && !cache.holds(key, at: expiry))
            #expect(!cache.holds(~key, at: expiry - 1))
        }
    }
}
