import Testing

@testable import SquallLab

@Suite("The watch over tokens")
struct TokenWatchTests {
    @Test("A user's newest expiry counts, and whoever never had a token has none that is good")
    func newest() {
        var watch = TokenWatch(users: 2)
        watch.issued(to: 0, expiresAt: 200)
        watch.issued(to: 0, expiresAt: 100)
        #expect(!watch.isExpired(0, at: 199) && watch.isExpired(0, at: 200))
        #expect(watch.isExpired(1, at: 0))
    }

    @Test("What expires all at once expires for those concerned, until a new token comes")
    func allAtOnce() {
        var watch = TokenWatch(users: 2)
        for user in 0..<2 { watch.issued(to: user, expiresAt: 200) }
        watch.expired(at: 50) { $0 == 1 }
        #expect(!watch.isExpired(0, at: 50) && watch.isExpired(1, at: 50))
        watch.issued(to: 1, expiresAt: 300)
        #expect(!watch.isExpired(1, at: 50))
    }
}
