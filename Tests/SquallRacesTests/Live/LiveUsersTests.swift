import Testing

@testable import SquallRaces

@Suite("Users of a live session")
struct LiveUsersTests {
    @Test("Users who are forgotten leave their numbers to others")
    func numbers() {
        var users = LiveUsers()
        var forgotten = 0
        for count in 0..<3 * LiveUsers.usersMax {
            let user = users.add()
            user.lastSeen = Int64(count)
            forgotten += users.makeRoom().count
        }
        #expect(users.all.keys.max() == UInt64(LiveUsers.usersMax))
        #expect(forgotten > LiveUsers.usersMax && users.all.count <= LiveUsers.usersMax)
    }
}
