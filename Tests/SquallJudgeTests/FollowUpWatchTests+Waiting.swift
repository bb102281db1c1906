import SquallHTTP
import SquallJudge
import Testing

extension FollowUpWatchTests {
    @Test("A client that the server has asked to wait does nothing until then")
    func waits() {
        let second: Int64 = 1_000_000_000
        var watch = FollowUpWatch()
        let token = TokenNumber(place: 0)
        watch.refused(token, 0, sentAt: -2, patience: FollowUpPatience(), at: -1)
        watch.renews()
        watch.renewed(.failed, at: 0)
        watch.mustWait(until: 120 * second)
        let found = [20, 60, 100, 121, 150, 185, 190].filter { at in
            watch.refused(
                token, 1, sentAt: at * second, patience: FollowUpPatience(),
                at: at * second + 1) != nil
        }
        #expect(found == [190])
    }
}
