@testable import SquallBackend
import SquallHTTP
import SquallJudge
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("Ledgers of requests and expiries")
struct LedgerTests {
    @Test(
        "An attempt after another is named after what the one before came to",
        arguments: [
            (.status(419), .retryAfterExpiry), (.status(404), .retryAfterRefusal),
            (.status(503), .retryAfterServerError), (.status(200), .retryAfterSuccess),
            (.error(.timedOut), .retryAfterNoAnswer),
        ] as [(ExchangeRecord.Outcome, WireCause)])
    func causes(outcome: ExchangeRecord.Outcome, cause: WireCause) {
        var ledger = RequestLedger()
        #expect(ledger.end(request: 0, attempt: 0, outcome) == .first)
        #expect(ledger.end(request: 0, attempt: 1, .status(200)) == cause)
        #expect(ledger.end(request: 1, attempt: 0, .status(200)) == .first)
        #expect(ledger.attempts.reduce(0, +) == 3 && ledger.endedInAll == 3)
    }

    @Test("Requests are counted by attempts, their attempts by success, failures as waste")
    func attempts() {
        var ledger = RequestLedger()
        _ = ledger.end(request: 0, attempt: 0, .status(503))
        _ = ledger.end(request: 0, attempt: 1, .status(200))
        _ = ledger.end(request: 1, attempt: 0, .status(503))
        #expect(ledger.requestEnded(user: 7, request: 0, failed: false, at: 0).wasted == 0)
        #expect(ledger.requestEnded(user: 7, request: 1, failed: true, at: 0).wasted == 1)
        #expect(ledger.requestsByAttempts.prefix(3) == [1, 1, 0])
        #expect(ledger.ended.prefix(2) == [2, 1] && ledger.succeeded.prefix(2) == [0, 1])
        #expect(ledger.failedRequests == 1)
    }

    @Test("A request is held from its expired answer to its next attempt or its end")
    func held() {
        var ledger = RequestLedger()
        _ = ledger.end(request: 0, attempt: 0, .status(419), at: 100)
        _ = ledger.end(request: 1, attempt: 0, .status(419), at: 150)
        #expect(ledger.held == 2)
        let cause = RequestCause(user: 7, request: 0, attempt: 1)
        #expect(ledger.attemptSent(cause, at: 400) == 300)
        #expect(ledger.requestEnded(user: 7, request: 1, failed: true, at: 160).wait == 10)
        #expect(ledger.held == 0 && ledger.heldAtOnce == 2 && ledger.heldRequests == 2)
    }

    @Test("The end of a warm-up forgets sums but not requests under way")
    func restart() {
        var ledger = RequestLedger()
        _ = ledger.end(request: 0, attempt: 0, .status(419), at: 100)
        ledger.restart()
        #expect(ledger.attempts.allSatisfy { $0 == 0 } && ledger.endedInAll == 1)
        #expect(ledger.held == 1 && ledger.heldAtOnce == 1)
        #expect(ledger.end(request: 0, attempt: 1, .status(200)) == .retryAfterExpiry)
    }

    @Test("One expiry takes in every answer to a request sent before the new token came")
    func oneExpiry() {
        var ledger = CountedExpiries()
        ledger.refuse(10)
        ledger.refuse(12)
        #expect(ledger.refresh(30...50) == .neededRefresh)
        #expect(ledger.refresh(40...60) == .redundantRefresh)
        // Sent with the old token, answered after the new one had come: no second expiry.
        ledger.refuse(49)
        #expect(ledger.refresh(80...90) == .redundantRefresh)
        #expect(ledger.expiries == 1 && ledger.refreshes == 3 && ledger.redundant == 2)
    }

    @Test("A request sent with the new token begins a new expiry; a failed refresh renews nothing")
    func nextExpiry() {
        var ledger = CountedExpiries()
        ledger.refuse(10)
        _ = ledger.refresh(15...20, succeeds: false)
        ledger.refuse(30)
        #expect(ledger.expiries == 1)
        #expect(ledger.refresh(35...40) == .neededRefresh)
        ledger.refuse(41)
        #expect(ledger.expiries == 2)
        #expect(ledger.refresh(45...50) == .neededRefresh)
        #expect(ledger.redundant == 0)
    }

    @Test("A refresh that no answer asked for is neither needed nor redundant")
    func unprompted() {
        var ledger = CountedExpiries()
        #expect(ledger.refresh(0...5, isPrompted: false) == .unpromptedRefresh)
        #expect(ledger.unprompted == 1 && ledger.expiries == 0 && ledger.refreshes == 0)
    }

    @Test("A call that goes out at the instant at which its user's new token came carries that one")
    func sameInstant() {
        var ledger = CountedExpiries()
        ledger.refuse(10)
        _ = ledger.refresh(20...50)
        // Virtual time often stands still between an answer and the call that waited for it.
        #expect(ledger.refuse(50).begins)
        #expect(ledger.expiries == 2)
    }

    @Test("A token of an unprompted refresh is new: calls sent with the one before begin no expiry")
    func unaskedRenewal() {
        var ledger = CountedExpiries()
        _ = ledger.refresh(20...50, isPrompted: false)
        #expect(!ledger.refuse(49).begins)
        #expect(ledger.expiries == 0)
        #expect(ledger.refuse(50).begins)
    }

    @Test("An expiry that a warm-up divides counts where its refreshes do, once")
    func divided() {
        var ledger = CountedExpiries()
        ledger.refuse(10)
        ledger.restart()
        #expect(ledger.refresh(20...50) == .neededRefresh)
        #expect(ledger.refresh(30...60) == .redundantRefresh)
        #expect(ledger.expiries == 1 && ledger.refreshes == 2 && ledger.redundant == 1)
        ledger.refuse(70)
        #expect(ledger.expiries == 2)
    }

    @Test("A refresh that was sent in the warm-up is not measured, and still renews the token")
    func sentBefore() {
        var ledger = CountedExpiries()
        ledger.refuse(10)
        ledger.restart()
        _ = ledger.refresh(20...50, isMeasured: false)
        #expect(ledger.expiries == 0 && ledger.refreshes == 0)
        #expect(!ledger.refuse(49).begins)
        #expect(ledger.expiries == 1)
    }

    @Test("A refreshed token is near its end by the life that the service states for it")
    func refreshedLife() {
        func cause(byRefresh: Bool, minutes: Int64) -> WireCause {
            let minute: Int64 = 60_000_000_000
            var ledger = ExpiryLedger(users: 1)
            ledger.statedLives = (signIn: 14_400 * minute, refreshed: 60 * minute)
            let request = URLRequest(url: WebURL(origin: "http://h", path: "/refresh"))
            var tokens = TokenTrace(call: request, shows: nil)
            tokens.newAccess = TokenNumber(text: "new")
            ledger.got(tokens, user: 0, byRefresh: byRefresh, at: 0)
            ledger.used(0, handedOverAt: minute)
            return ledger.ended(
                .init(handedOverAt: minutes * minute, isPrompted: false, .succeeded), user: 0,
                at: minutes * minute
            ).cause
        }
        #expect(cause(byRefresh: true, minutes: 45) == .neededRefresh)
        #expect(cause(byRefresh: true, minutes: 15) == .unpromptedRefresh)
        #expect(cause(byRefresh: false, minutes: 45) == .unpromptedRefresh)
    }

    @Test("In Scrolly each of the main screen's four calls refreshes: three of four are redundant")
    func scrolly() throws {
        let test = try TestWorld(
            journeys: #"{"resume": 1}"#, backend: ScrollyStormTests.expiring,
            initialTokens: "expired")
        let counts = RefreshView.Counts(of: test.metrics)
        #expect(counts.expiries > 20)
        let refreshes = counts.promptedRefreshes
        #expect(refreshes == test.count(.refreshes) - counts.unpromptedRefreshes)
        #expect(counts.redundantRefreshes == refreshes - counts.expiries)
        let requests = test.world.recorder.requests
        #expect(requests.attempts.reduce(0, +) == test.world.backend.counters.handedOver)
        #expect(requests.held == 0)
        // Each that was held has waited once, until its next attempt or its end.
        guard case .trend(let waits) = test.metrics.value(of: MetricKey(.refreshWait)) else {
            Issue.record("refresh_wait is a trend")
            return
        }
        #expect(waits.count == requests.heldRequests && waits.count > 20)
    }
}

extension RequestLedger {
    fileprivate mutating func end(
        request: UInt32, attempt: UInt32, _ outcome: ExchangeRecord.Outcome, at now: Int64 = 0
    ) -> WireCause {
        let exchange = ExchangeRecord(
            cause: RequestCause(user: 7, request: request, attempt: attempt),
            endpoint: Endpoint("posts", number: 0),
            outcome: outcome, meaning: outcome.meaning, handedOver: .start, sent: .start,
            ended: .start, bytes: 0,
            page: nil, tokenGeneration: nil)
        return attemptEnded(exchange, refresh: nil, isMeasured: true, at: now).cause
    }
}

extension ExchangeRecord.Outcome {
    fileprivate var meaning: AnswerMeaning {
        switch self {
        case .status(419): .expired
        case .status(let status): AnswerMeaning(classOf: status)
        case .error, .neverEnded: .none
        }
    }
}

/// A ledger with the sums of what it finds.
private struct CountedExpiries {
    private var ledger = ExpiryLedger(users: 8)
    private(set) var (expiries, refreshes, redundant, unprompted) = (0, 0, 0, 0)

    mutating func restart() {
        ledger.restart()
        (expiries, refreshes, redundant, unprompted) = (0, 0, 0, 0)
    }

    @discardableResult
    mutating func refuse(_ handedOver: Int64) -> (begins: Bool, counts: Bool) {
        let found = ledger.refused(
            .init(handedOverAt: handedOver), of: Endpoint("posts", number: 0), user: 7,
            at: handedOver)
        expiries += found.counts ? 1 : 0
        return found
    }

    mutating func refresh(
        _ span: ClosedRange<Int64>, isPrompted: Bool = true, succeeds: Bool = true,
        isMeasured: Bool = true
    ) -> WireCause {
        let found = ledger.ended(
            .init(
                handedOverAt: span.lowerBound, isPrompted: isPrompted,
                succeeds ? .succeeded : .failed), user: 7, isMeasured: isMeasured,
            at: span.upperBound)
        expiries += found.counts ? 1 : 0
        guard isMeasured else { return found.cause }
        refreshes += [.neededRefresh, .redundantRefresh].contains(found.cause) ? 1 : 0
        redundant += found.cause == .redundantRefresh ? 1 : 0
        unprompted += found.cause == .unpromptedRefresh ? 1 : 0
        return found.cause
    }
}
