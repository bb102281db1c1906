import Testing

@testable import SquallRaces

@Suite("Positions")
struct PositionsTests {
    @Test("A thing has the position at which it was met, among few and among many")
    func fewAndMany() {
        var positions = Positions<String>()
        for place in 0..<40 {
            #expect(positions["\(place)"] == nil)
            #expect(positions.add("\(place)") == place)
            #expect((0...place).allSatisfy { positions["\($0)"] == $0 })
        }
        #expect(positions.count == 40 && positions.all[17] == "17")
    }
}
