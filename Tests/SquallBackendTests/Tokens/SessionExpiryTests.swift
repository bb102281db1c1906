import SquallBackend
import Testing

@Suite("Which refreshes an expiry needs")
struct SessionExpiryTests {
    private var session = SessionExpiry()

    private mutating func refresh(
        _ span: ClosedRange<Int64>, isPrompted: Bool = true, isSpent: Bool = false,
        succeeds: Bool = true
    ) -> SessionExpiry.Reason {
        session.refreshEnded(
            handedOverAt: span.lowerBound, isPrompted: isPrompted, isSpent: isSpent,
            succeeded: succeeds, at: span.upperBound)
    }

    @Test("Of refreshes of one expiry that overlap all but one are redundant, failed or not")
    mutating func overlapping() {
        #expect(session.refused(handedOverAt: 1) == .first)
        #expect(session.refused(handedOverAt: 1) == .further)
        #expect(refresh(10...20, succeeds: false) == .needed)
        #expect(refresh(15...30, succeeds: false) == .again)
        #expect(refresh(29...40) == .again)
    }

    @Test("After a refresh that failed, another try is right")
    mutating func nextTry() {
        _ = session.refused(handedOverAt: 1)
        #expect(refresh(10...20, succeeds: false) == .needed)
        #expect(refresh(20...30) == .needed)
    }

    @Test("A refusal of a token that has been replaced makes a refresh redundant, whenever it came")
    mutating func late() {
        _ = session.refused(handedOverAt: 1)
        _ = refresh(10...20)
        #expect(session.refused(handedOverAt: 19) == .late)
        #expect(refresh(25...30) == .late)
        // This one was refused in time, and its client was slow.
        #expect(refresh(35...40) == .late)
    }

    @Test("A request that was handed over late with an old token begins no expiry")
    mutating func outdated() {
        _ = refresh(10...20, isPrompted: false)
        #expect(session.refused(handedOverAt: 21, isOlder: true) == .late)
        #expect(session.refused(handedOverAt: 21) == .first)
    }

    @Test("A client that looks at its clock needs one refresh as well")
    mutating func clock() {
        #expect(refresh(10...20, isPrompted: false) == .unprompted)
        #expect(refresh(11...21, isPrompted: false) == .again)
        #expect(refresh(90...99, isPrompted: false) == .unprompted)
    }

    @Test("A refresh token that was exchanged is redundant whatever else is known")
    mutating func spent() {
        _ = refresh(10...20, isPrompted: false)
        #expect(refresh(30...40, isPrompted: false, isSpent: true) == .again)
    }

    @Test("What is handed over at the moment at which the new token comes shows the new token")
    mutating func sameInstant() {
        session.renewed(at: 10)
        #expect(session.refused(handedOverAt: 10) == .first)
        #expect(refresh(10...10) == .needed)
        #expect(refresh(10...15, isPrompted: false, succeeds: false) == .unprompted)
        #expect(refresh(14...20) == .again)
    }

    @Test("A sign-in begins anew")
    mutating func signIn() {
        _ = session.refused(handedOverAt: 1)
        session.renewed(at: 10)
        #expect(session.refused(handedOverAt: 5) == .late)
        #expect(session.refused(handedOverAt: 11) == .first)
        #expect(refresh(12...20) == .needed)
    }
}
