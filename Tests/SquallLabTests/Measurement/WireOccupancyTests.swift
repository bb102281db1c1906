import Testing

@testable import SquallLab

@Suite("Little's law")
struct WireOccupancyTests {
    @Test("The area under the attempts is the time they spent once all have ended")
    func areas() {
        var wire = WireOccupancy()
        wire.begin(at: 10)
        wire.begin(at: 30)
        wire.end(handedOver: 10, sent: 10, at: 50)
        // 1 from 10 to 30, 2 from 30 to 50, 1 from 50 to 60.
        #expect(wire.area(at: 60) == 20 + 40 + 10)
        #expect(wire.residence == 40 && wire.obeysLittle(at: 60))
        wire.end(handedOver: 30, sent: 30, at: 70)
        #expect(wire.area(at: 100) == 80 && wire.residence == 80)
        #expect(wire.obeysLittle(at: 100) && wire.ended == 2)
    }

    @Test("An attempt that says it was sent earlier than it was counted breaks the law")
    func breach() {
        var wire = WireOccupancy()
        wire.begin(at: 10)
        wire.end(handedOver: 9, sent: 9, at: 20)
        #expect(!wire.obeysLittle(at: 20))
    }
}
