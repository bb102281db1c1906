import SquallHTTP
import Testing

@testable import SquallJudge

@Suite("Redundant refreshes and refresh loops")
struct SessionExpiryTests {
    private var session = SessionExpiry()

    private static func token(_ place: Int?) -> TokenNumber? { place.map(TokenNumber.init(place:)) }

    private mutating func refuse(
        _ moment: Int64, _ token: Int? = nil, call: UInt64 = 0, at now: Int64? = nil
    ) -> SessionExpiry.Refusal {
        var request = SessionExpiry.RefusedRequest(
            handedOverAt: moment, access: Self.token(token))
        request.call = call
        return session.refused(request, at: now ?? moment)
    }

    private mutating func refresh(
        _ span: ClosedRange<Int64>, of refused: Int? = nil, isPrompted: Bool = true,
        shows: (access: Int?, refresh: Int?) = (nil, nil),
        gets: (access: Int?, refresh: Int?)? = nil,
        _ ending: RenewalEnding = .succeeded
    ) -> SessionExpiry.Reason {
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: span.lowerBound, isPrompted: isPrompted, ending)
        refresh.refused = Self.token(refused)
        (refresh.access, refresh.refresh) = (Self.token(shows.access), Self.token(shows.refresh))
        let reason = session.ended(refresh, at: span.upperBound).reason
        if ending == .succeeded {
            session.got(
                access: Self.token(gets?.access), refresh: Self.token(gets?.refresh),
                for: refresh.refresh)
        }
        return reason
    }

    @Test("Of refreshes of one expiry that overlap all but one are redundant, failed or not")
    mutating func overlapping() {
        #expect(refuse(1) == .first)
        #expect(refuse(1) == .further)
        #expect(refresh(10...20, .failed) == .needed)
        #expect(refresh(15...30, .failed) == .again)
        #expect(refresh(29...40) == .again)
    }

    @Test("A second refresh after a failed or lost one is not redundant")
    mutating func nextTry() {
        _ = refuse(1)
        #expect(refresh(10...20, shows: (nil, 90), .failed) == .needed)
        #expect(refresh(20...30, shows: (nil, 90), .lost) == .needed)
        #expect(refresh(30...40, shows: (nil, 90)) == .needed)
    }

    @Test("A refusal of a token that has been replaced makes a refresh redundant, whenever it came")
    mutating func late() {
        _ = refuse(1)
        _ = refresh(10...20)
        #expect(refuse(19) == .late)
        #expect(refresh(25...30) == .late)
        // This one was refused in time, and its client was slow.
        #expect(refresh(35...40) == .late)
    }

    @Test(
        "A token that is refused again after a refresh makes the next refresh redundant")
    mutating func lostToken() {
        for round in 0..<5 {
            let moment = Int64(round) * 10
            #expect(refuse(moment, 1) == (round == 0 ? .first : .late))
            let reason = refresh(
                moment + 1...moment + 5, of: 1, shows: (1, 90), gets: (2 + round, 90))
            #expect(reason == (round == 0 ? .needed : .late))
        }
    }

    @Test("Each of several tokens of a device has an expiry of its own")
    mutating func coexisting() {
        #expect(refuse(1, 1) == .first)
        #expect(refuse(1, 2) == .first)
        #expect(refresh(3...8, of: 1, gets: (3, nil)) == .needed)
        #expect(refresh(4...9, of: 2, gets: (4, nil)) == .needed)
        #expect(refuse(20, 3) == .first)
        #expect(refresh(21...25, of: 3, gets: (5, nil)) == .needed)
        #expect(refuse(26, 3) == .late && refuse(26, 4) == .first)
    }

    @Test("A refresh token that was refused is redundant when it is shown again, for any expiry")
    mutating func dead() {
        _ = refuse(1, 1)
        #expect(refresh(2...5, of: 1, shows: (1, 90), .refused) == .needed)
        #expect(refresh(6...9, of: 1, shows: (1, 90), .refused) == .again)
        _ = refuse(10, 2)
        #expect(refresh(11...15, of: 2, shows: (2, 90), .refused) == .again)
        session.signedIn(at: 20)
        _ = refuse(30, 3)
        #expect(refresh(31...35, of: 3, shows: (3, 91)) == .needed)
    }

    @Test(
        "A token that a call was given before the new one came begins no expiry when that is known")
    mutating func outdated() {
        _ = refresh(10...20, isPrompted: false, shows: (1, nil), gets: (2, nil))
        #expect(refuse(19, 1) == .late)
        #expect(refresh(21...25, of: 1, gets: (3, nil)) == .late)
        #expect(refuse(30, 3) == .first)
    }

    @Test("A client that looks at its clock needs one refresh as well")
    mutating func clock() {
        #expect(refresh(10...20, isPrompted: false) == .unprompted)
        #expect(refresh(11...21, isPrompted: false) == .again)
        #expect(refresh(90...99, isPrompted: false) == .unprompted)
    }

    @Test("A client that looks at its clock and loses the new token is refused, and redundant")
    mutating func lostByClock() {
        #expect(refresh(10...20, isPrompted: false, gets: (2, nil)) == .unprompted)
        #expect(refuse(30, 1) == .first)
        #expect(refresh(31...35, of: 1, gets: (3, nil)) == .late)
    }

    @Test("A refresh token that was exchanged is redundant whatever else is known")
    mutating func spent() {
        _ = refresh(10...20, isPrompted: false, shows: (nil, 90), gets: (1, 91))
        #expect(refresh(30...40, isPrompted: false, shows: (nil, 90)) == .again)
        #expect(refresh(50...60, isPrompted: false, shows: (nil, 91)) == .unprompted)
    }

    @Test("A request sent at the moment at which the new token arrives carries the new token")
    mutating func sameInstant() {
        session.signedIn(at: 10)
        #expect(refuse(10) == .first)
        #expect(refresh(10...10) == .needed)
        #expect(refresh(10...15, isPrompted: false, .failed) == .unprompted)
        #expect(refresh(14...20, isPrompted: false) == .again)
    }

    @Test("A sign-in starts a new session of expiries")
    mutating func signIn() {
        _ = refuse(1)
        session.signedIn(at: 10)
        #expect(refuse(5) == .late)
        #expect(refuse(11) == .first)
        #expect(refresh(12...20) == .needed)
    }

    /// Refuses and refreshes a call so often; returns the loops of each refresh.
    private mutating func loop(
        _ rounds: Int, from start: Int64 = 0, counting: Bool = true
    ) -> [Int64] {
        (0..<rounds).map { round in
            let moment = start + Int64(round) * 10
            _ = refuse(moment, 1, call: 7, at: moment + 2)
            // One beside it, of the same screen, was under way before the refusal came.
            _ = refuse(moment + 1, 1, call: 7, at: moment + 3)
            let refresh = SessionExpiry.EndedRefresh(
                handedOverAt: moment + 4, isPrompted: true, .succeeded)
            return session.ended(refresh, countsLoops: counting, at: moment + 8).loops.calls
        }
    }

    @Test("A call loops with its third refresh, counts once, and ends with a success")
    mutating func loops() {
        #expect(loop(5) == [0, 0, 1, 0, 0])
        session.recountLoops()
        #expect(loop(1, from: 50) == [1])
        session.succeeded(7)
        #expect(!session.hasRefusedCalls(inStep: 0))
        #expect(loop(2, from: 60) == [0, 0])
        session.succeeded(7)
        #expect(loop(3, from: 80, counting: false) == [0, 0, 0])
        #expect(loop(1, from: 110) == [1])
    }
}
