import Testing

@testable import Squall

@Suite("Objects that several users' code shares")
struct SharedInstancesTests {
    @Test("Of two objects of one name, the first users of both count")
    func first() {
        var shared = SharedInstances()
        shared.note("Cache", users: 1, 2)
        shared.note("Cache", users: 3, 2)
        #expect(shared.all.map(\.users) == [3])
    }
}
