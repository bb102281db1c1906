import SquallJudge
import Testing

@Suite("Writes that are done twice")
struct WriteWatchTests {
    private func write(
        _ request: Int, _ body: UInt64 = 1, content: UInt64 = 1, key: String? = nil,
        bytes: Int? = 5, sentAt: Int64 = 0
    ) -> WriteWatch.Write {
        WriteWatch.Write(
            call: 1, body: body, content: content, bytes: bytes, key: key, request: request,
            sentAt: sentAt)
    }

    /// What is made of a second write after the first one's response was lost.
    private func verdict(
        _ first: WriteWatch.Write, _ second: WriteWatch.Write, isLost: Bool = true
    ) -> WriteWatch.Verdict? {
        var watch = WriteWatch()
        _ = watch.wasDone(first, at: 1, openMax: 1_000)
        if isLost { watch.ended(0, isAnswered: false, at: 2) }
        return watch.wasDone(second, at: 20, openMax: 1_000)
    }

    @Test("A lost response makes the next write a retry, which its key tells from another write")
    func lost() {
        let next = write(1, sentAt: 10)
        #expect(verdict(write(0), next) == .doneTwice(earlier: 0))
        #expect(verdict(write(0), next, isLost: false) == nil)
        #expect(verdict(write(0), write(1, 2, content: 2, sentAt: 10)) == .unclear(earlier: 0))
        let keyed = write(0, key: "a")
        #expect(verdict(keyed, write(1, key: "a", sentAt: 10)) == .repeatedSafely)
        #expect(verdict(keyed, write(1, 2, key: "b", sentAt: 10)) == .otherKey(earlier: 0))
        #expect(verdict(keyed, next) == .otherKey(earlier: 0))
        // Sent before its client can have known of the loss.
        #expect(verdict(write(0), write(1, sentAt: 1)) == nil)
    }

    @Test("A write that the server does once its client has gone counts, in whichever order")
    func left() {
        var watch = WriteWatch()
        #expect(watch.wasDone(write(0), leftAt: 7, at: 9, openMax: 1_000) == nil)
        let next = watch.wasDone(write(1, sentAt: 8), at: 12, openMax: 1_000)
        #expect(next == .doneTwice(earlier: 0))
        watch = WriteWatch()
        #expect(watch.wasDone(write(1, sentAt: 8), at: 9, openMax: 1_000) == nil)
        watch.ended(1, isAnswered: true, at: 9)
        let late = watch.wasDone(write(0), leftAt: 7, at: 20, openMax: 1_000)
        #expect(late == .doneTwice(earlier: 0))
        // Begun before its client left: another screen's.
        watch = WriteWatch()
        _ = watch.wasDone(write(1, sentAt: 6), at: 9, openMax: 1_000)
        watch.ended(1, isAnswered: true, at: 9)
        #expect(watch.wasDone(write(0), leftAt: 7, at: 20, openMax: 1_000) == nil)
    }

    @Test("A refused write that is sent again without its body is found once")
    func body() {
        var watch = WriteWatch()
        watch.wasRefused(write(0))
        #expect(watch.sent(write(1, bytes: nil)) == nil)
        watch.wasRefused(write(2))
        #expect(watch.sent(write(3, bytes: 0))?.earlier == 2)
        #expect(watch.sent(write(4, bytes: 0)) == nil)
    }
}
