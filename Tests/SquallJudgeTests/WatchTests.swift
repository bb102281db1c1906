import SquallHTTP
import SquallJudge
import Testing

@Suite("What a client does about an expired token")
struct FollowUpWatchTests {
    private static let second: Int64 = 1_000_000_000
    private static let token = TokenNumber(place: 0)

    /// Refusals of a token at seconds; the numbers of those that are found.
    private func found(
        _ seconds: [Int64], after ending: RenewalEnding? = nil, token: (Int) -> Int = { _ in 0 }
    ) -> [Int] {
        var watch = FollowUpWatch()
        if let ending {
            watch.renews()
            watch.renewed(ending, at: 0)
        }
        return seconds.enumerated().compactMap { number, at in
            let (sent, ended) = (at * Self.second, at * Self.second + Self.second / 10)
            let requests = watch.refused(
                TokenNumber(place: token(number)), number, sentAt: sent,
                patience: FollowUpPatience(), at: ended)
            return requests.map { _ in number }
        }
    }

    @Test("Three refusals one after the other are one too many, and calls at once are one")
    func deaf() {
        #expect(found([1, 3, 5, 7]) == [2, 3])
        #expect(found([1, 1, 1, 1]) == [])
        #expect(found([1, 3, 5, 7], token: { $0 }) == [])
    }

    @Test("After a refresh that failed a client may wait, after one that was refused it may not")
    func patience() {
        #expect(found([1, 3, 5, 7, 9], after: .failed) == [])
        #expect(found([1, 30, 61], after: .failed) == [2])
        #expect(found([1, 4, 7, 10, 13], after: .lost) == [4])
        #expect(found([1, 2, 3, 4, 5], after: .refused) == [4])
    }

    @Test("A call that was sent before a renewal ended and is refused after it is no new expiry")
    func late() {
        var watch = FollowUpWatch()
        watch.renews()
        watch.renewed(.succeeded, at: 10)
        watch.refused(Self.token, 1, sentAt: 9, patience: FollowUpPatience(), at: 12)
        #expect(!watch.isOpen)
        watch.refused(Self.token, 1, sentAt: 11, patience: FollowUpPatience(), at: 13)
        #expect(watch.isOpen)
    }

    @Test("A renewal answers for the refusals before it, and none is expected of a user who left")
    func answered() {
        var watch = FollowUpWatch()
        func refuse() {
            _ = watch.refused(Self.token, 1, sentAt: 0, patience: FollowUpPatience(), at: 1)
        }
        refuse()
        #expect(watch.isOpen)
        watch.renews()
        #expect(!watch.isOpen)
        watch.renewed(.succeeded, at: 2)
        refuse()
        watch.left()
        #expect(!watch.isOpen)
        refuse()
        watch.accepted(Self.token)
        #expect(!watch.isOpen)
    }
}

/// Each sequence of up to six events of one user, judged by looking back over all of it.
@Suite("What a client that does nothing more owes")
struct FollowUpHistoryTests {
    enum Event: CaseIterable { case refusesOld, refusesNew, renews, succeeds, fails, leaves }

    /// A refusal is owed for if its token was first shown after every renewal that succeeded and
    /// every sign-out, and no renewal was tried since.
    private static func owes(_ history: [Event]) -> Bool {
        let last = history.lastIndex { [.succeeds, .leaves].contains($0) } ?? -1
        let tries = history[(last + 1)...].contains { [.renews, .fails].contains($0) }
        guard !tries, !history.isRenewing else { return false }
        return [Event.refusesOld, .refusesNew].contains {
            (history.firstIndex(of: $0) ?? -1) > last
        }
    }

    private static func watched(_ history: [Event]) -> Bool {
        var watch = FollowUpWatch()
        for (place, event) in history.enumerated() {
            let now = Int64(place) * 10
            switch event {
            case .refusesOld, .refusesNew:
                let token = TokenNumber(place: event == .refusesOld ? 0 : 1)
                watch.shows(token)
                watch.refused(
                    token, place, sentAt: now, patience: FollowUpPatience(), at: now + 1)
            case .renews: watch.renews()
            case .succeeds: watch.renewed(.succeeded, at: now)
            case .fails: watch.renewed(.failed, at: now)
            case .leaves: watch.left()
            }
        }
        return !watch.unfollowed.isEmpty
    }

    @Test("All of them are judged as by looking back")
    func all() {
        var (histories, owing): ([[Event]], Int) = ([[]], 0)
        for _ in 1...6 {
            histories = histories.flatMap { history in
                Event.allCases.filter { $0 != .succeeds && $0 != .fails || history.isRenewing }
                    .map { history + [$0] }
            }
            for history in histories {
                #expect(Self.watched(history) == Self.owes(history), "\(history)")
                owing += Self.owes(history) ? 1 : 0
            }
        }
        #expect(owing > 1000 && histories.count > 5000)
    }
}

extension [FollowUpHistoryTests.Event] {
    /// True while a renewal is open.
    fileprivate var isRenewing: Bool {
        count { $0 == .renews } > count { [.succeeds, .fails].contains($0) }
    }
}

@Suite("Pauses between failed refreshes")
struct BackoffWatchTests {
    private func found(
        _ pauses: [Int64], isAsked: (Int) -> Bool = { _ in false }
    ) -> BackoffWatch.Row? {
        var (watch, now) = (BackoffWatch(), Int64(0))
        var found: BackoffWatch.Row?
        for (number, pause) in pauses.enumerated() {
            watch.sent(at: now, isAsked: isAsked(number))
            found = watch.failed(at: now, limit: 100) ?? found
            now += pause
        }
        return found
    }

    @Test("Ten failures at one interval are found, those at growing ones are not")
    func rule() {
        let row = found(Array(repeating: 5, count: 10))
        #expect(row?.pause == 5 && row?.isAsked == false)
        #expect(found(Array(repeating: 5, count: 9)) == nil)
        #expect(found([1, 2, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8]) == nil)
        #expect(found(Array(repeating: 100, count: 12)) == nil)
        #expect(found(Array(repeating: 5, count: 14)) { $0 % 4 != 3 }?.isAsked == true)
        #expect(found([5, 9, 3, 14, 5, 4, 12, 5, 2, 9, 5, 4]) == nil)
    }

    @Test("Refreshes that are sent at once after a failure have waited once")
    func atOnce() {
        var watch = BackoffWatch()
        watch.sent(at: 0, isAsked: false)
        #expect(watch.failed(at: 1, limit: 100) == nil)
        for _ in 0..<12 { watch.sent(at: 6, isAsked: false) }
        #expect((0..<12).allSatisfy { _ in watch.failed(at: 7, limit: 100) == nil })
    }
}

@Suite("Renewals of an account's tokens, by any grant")
struct AccountWatchTests {
    private typealias Watch = AccountWatch<Int>
    private static let pace = Watch.Pace(pause: 10, queue: 200)

    private func bring(
        _ token: Int, to watch: inout Watch, on source: UInt64? = nil, sentAt: Int64, at now: Int64
    ) -> Watch.Reason {
        watch.brought(
            token, expiry: now + 1_000, sentAt: sentAt, source: source, pace: Self.pace, at: now)
    }

    private func show(
        _ token: Int, _ watch: inout Watch, on connection: UInt64, _ moments: Int64...
    ) -> Watch.Reason? {
        moments.compactMap {
            watch.shown(token, on: connection, sentAt: $0, pace: Self.pace)
        }.last
    }

    @Test("As many renewals as refusals of one token at once are one needed and the rest too many")
    func storm() {
        var watch = Watch()
        #expect(bring(0, to: &watch, sentAt: 0, at: 1) == .first)
        for _ in 0..<3 { watch.refused(0, at: 100) }
        #expect(bring(1, to: &watch, sentAt: 101, at: 200) == .expiry(0))
        #expect(bring(2, to: &watch, sentAt: 101, at: 201) == .again(0))
        // In turn, without a second look.
        #expect(bring(3, to: &watch, sentAt: 205, at: 300) == .again(0))
        #expect(bring(4, to: &watch, sentAt: 315, at: 400) == .first)
    }

    @Test("Each process of an account may renew its own token once")
    func processes() {
        var watch = Watch()
        for pod in 0..<2 {
            #expect(bring(pod, to: &watch, on: UInt64(pod), sentAt: 0, at: 1) == .first)
            #expect(show(pod, &watch, on: UInt64(pod), 10, 50, 90) == nil)
        }
        for pod in 0..<2 { watch.refused(pod, at: 100) }
        let reasons = (0..<2).map {
            bring($0 + 2, to: &watch, on: UInt64($0), sentAt: 101, at: 200)
        }
        #expect(reasons == [.expiry(0), .expiry(1)])
    }

    @Test("Threads of one process that each renew its token by the clock are a storm, each time")
    func threads() {
        var watch = Watch()
        var reasons: [Watch.Reason] = []
        for (life, start) in [Int64(0), 1_000, 2_000].enumerated() {
            for thread in 0..<3 {
                reasons.append(
                    bring(
                        life * 3 + thread, to: &watch, on: UInt64(thread), sentAt: start,
                        at: start + 5))
            }
            // Each calls once with its own token, and all of them with the last one from then on.
            for thread in 0..<3 {
                _ = show(life * 3 + thread, &watch, on: UInt64(thread), start + 6)
                _ = show(life * 3 + 2, &watch, on: UInt64(thread), start + 300, start + 500)
            }
        }
        #expect(
            reasons == [
                .first, .first, .first, .expiry(2), .again(2), .again(2), .expiry(5), .again(5),
                .again(5),
            ])
    }

    @Test("Threads with a connection for each call have one token, which all of them show at once")
    func unlinked() {
        var (watch, connection) = (Watch(), UInt64(0))
        var reasons: [Watch.Reason] = []
        func shows(_ tokens: [Int], at moment: Int64) {
            for token in tokens {
                connection += 1
                _ = show(token, &watch, on: connection, moment)
            }
        }
        for (life, start) in [Int64(0), 1_000].enumerated() {
            let own = Array(life * 4..<life * 4 + 4)
            reasons += own.map { bring($0, to: &watch, sentAt: start, at: start + 5) }
            shows(own, at: start + 6)
            for moment in [start + 300, start + 600] {
                shows([Int](repeating: own[3], count: 4), at: moment)
            }
        }
        #expect(reasons.suffix(4) == [.expiry(3), .first, .again(3), .again(3)])
    }

    @Test("Processes that call at once, each with its own token, renew one each")
    func inStep() {
        var watch = Watch()
        for pod in 0..<3 { _ = bring(pod, to: &watch, sentAt: 0, at: 1) }
        for moment in [Int64(10), 300, 600] {
            for pod in 0..<3 { _ = show(pod, &watch, on: UInt64(moment) + UInt64(pod), moment) }
        }
        let reasons = (0..<3).map { bring($0 + 3, to: &watch, sentAt: 900, at: 910) }
        #expect(reasons == [.expiry(0), .expiry(1), .expiry(2)])
    }

    @Test("In virtual time a client signs in at the moment of the refusal, with a reason")
    func sameMoment() {
        var watch = Watch()
        _ = bring(0, to: &watch, on: 7, sentAt: 0, at: 0)
        _ = show(0, &watch, on: 7, 1, 20, 100)
        watch.refused(0, sentAt: 90, at: 100)
        #expect(bring(1, to: &watch, on: 7, sentAt: 100, at: 110) == .expiry(0))
        // Without connections, and each of three calls for itself.
        watch = Watch()
        _ = bring(0, to: &watch, sentAt: 0, at: 0)
        for _ in 0..<3 { watch.refused(0, at: 100) }
        let reasons = (1...3).map { bring($0, to: &watch, sentAt: 100, at: 110) }
        #expect(reasons == [.expiry(0), .again(0), .again(0)])
        // A sign-in before the refusal was not made for it.
        watch = Watch()
        _ = bring(0, to: &watch, on: 7, sentAt: 0, at: 0)
        _ = show(0, &watch, on: 7, 1, 20)
        watch.refused(0, at: 300)
        #expect(bring(1, to: &watch, on: 7, sentAt: 299, at: 310) == .needless(0))
    }

    @Test("Processes behind one connection cannot be told apart, and are not accused")
    func shared() {
        var watch = Watch()
        for pod in 0..<3 { _ = bring(pod, to: &watch, on: 1, sentAt: 0, at: 1) }
        for moment in [Int64(10), 300, 500] {
            for pod in 0..<3 { #expect(show(pod, &watch, on: 1, moment) == nil) }
        }
        let reasons = (0..<3).map { bring($0 + 3, to: &watch, on: 1, sentAt: 900, at: 910) }
        #expect(reasons == [.expiry(0), .expiry(1), .expiry(2)])
    }

    @Test("A sign-in over a connection of its own is one renewal, also when its token is shown")
    func ownConnection() {
        var watch = Watch()
        #expect(bring(0, to: &watch, on: 8, sentAt: 0, at: 1) == .first)
        #expect(show(0, &watch, on: 7, 2, 50, 300) == nil)
        watch.refused(0, at: 310)
        #expect(bring(1, to: &watch, on: 9, sentAt: 311, at: 320) == .expiry(0))
        // A call that was under way meanwhile asks for nothing more.
        let late = [watch.refused(0, sentAt: 319, at: 325), watch.refused(0, sentAt: 330, at: 335)]
        #expect(late == [true, false])
        #expect(show(1, &watch, on: 7, 321, 600) == nil)
        // By the clock, and twice: the first call tells whose the second one is.
        #expect(bring(2, to: &watch, on: 10, sentAt: 1_200, at: 1_210) == .expiry(1))
        #expect(bring(3, to: &watch, on: 11, sentAt: 1_200, at: 1_211) == .first)
        #expect(
            [show(2, &watch, on: 7, 1_212), show(3, &watch, on: 7, 1_213)] == [nil, .again(1)])
    }

    @Test("A sign-in after the end of a token that no call has shown is for that one")
    func neverShown() {
        var watch = Watch()
        _ = bring(0, to: &watch, on: 7, sentAt: 0, at: 0)
        #expect(show(0, &watch, on: 7, 1, 300) == nil)
        watch.refused(0, at: 310)
        watch.exchanged(0, for: 1, expiry: nil, at: 320)
        watch.refused(1, at: 340)
        #expect(bring(2, to: &watch, on: 7, sentAt: 340, at: 350) == .expiry(1))
    }

    @Test("A young token that nobody refused is renewed without need by its own process alone")
    func needless() {
        var watch = Watch()
        _ = bring(0, to: &watch, on: 7, sentAt: 0, at: 0)
        #expect(show(0, &watch, on: 7, 1, 20) == nil)
        #expect(bring(1, to: &watch, on: 8, sentAt: 300, at: 301) == .first)
        // The connection of its first call tells whose it is.
        #expect(show(1, &watch, on: 7, 302) == .needless(0))
        #expect(bring(2, to: &watch, on: 7, sentAt: 600, at: 601) == .needless(1))
    }
}
