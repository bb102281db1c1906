import Testing

@testable import SquallLive

@Suite("When requests came to a server that was busy")
struct ArrivalClockTests {
    @Test("What a wait finds at once may have come since the last turn, and nothing else")
    func busy() {
        var clock = ArrivalClock()
        clock.waits(at: 0)
        #expect(clock.enters(at: 5_000_000) == 5_000_000)
        #expect(clock.came(readAt: 5_000_000) == 5_000_000)
        // A turn of 195 ms, in which a response was sent.
        clock.waits(at: 200_000_000)
        _ = clock.enters(at: 200_100_000)
        #expect(clock.came(readAt: 200_100_000) == 5_000_000)
        #expect(clock.came(readAt: 90_000_000) == 90_000_000)
        clock.waits(at: 201_000_000)
        _ = clock.enters(at: 300_000_000)
        #expect(clock.came(readAt: 300_000_000) == 300_000_000)
    }

    @Test("In stepped time a request comes when it is read, however long the server had waited")
    func stepped() {
        var clock = ArrivalClock(isStepped: true)
        _ = clock.enters(at: 1_000_000_000)
        clock.waits(at: 1_000_000_000)
        _ = clock.enters(at: 61_000_000_000)
        #expect(clock.came(readAt: 61_000_000_000) == 61_000_000_000)
        #expect(clock.standstill(at: 999_000_000_000) == nil)
    }

    @Test("A turn of more than a second is a standstill, during which anything may have come")
    func standstill() {
        var clock = ArrivalClock()
        #expect(clock.standstill(at: 9_000_000_000) == nil)
        _ = clock.enters(at: 9_000_000_000)
        clock.waits(at: 9_001_000_000)
        #expect(clock.standstill(at: 9_101_000_000) == nil)
        #expect(clock.standstill(at: 39_000_000_000) == 30_000_000_000)
        _ = clock.enters(at: 39_000_000_000)
        #expect(clock.came(readAt: 39_000_000_000) == 9_000_000_000)
    }
}
