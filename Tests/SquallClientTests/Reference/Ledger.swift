import Synchronization

@testable import SquallClient

/// The account of one user's tokens, kept by somebody who sees both sides, and what is wrong in it.
///
/// Tokens are named by owner and generation: `a0`, `a1`, …, and `b0`, … once somebody else signed
/// in. The checks are named by the invariants of a token-refresh client.
final class Ledger: Sendable {
    /// Interesting situations that a run came to.
    enum Situation: Hashable, Sendable, CaseIterable {
        case lateRefusal, twoRefusals, cancelledInRefresh, signedOutInRefresh, signedIn, rejected
        case transientFailure, secondExpiry
    }

    fileprivate struct State {
        var lines: [String] = []
        var violations: [String] = []
        var situations: Set<Situation> = []
        var owner: Character? = "a"
        var published = ["a": 0, "b": 0]
        var refused: [String: Int] = [:]
        var received: Set<String> = []
        var stored = -1
        var refreshesOpen = 0
        var rejections = 0
        var reports = 0
        var sends: [UInt32: [String]] = [:]
        var ended: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }
    var violations: [String] { state.withLock { $0.violations } }
    var situations: Set<Situation> { state.withLock { $0.situations } }
    var isRefreshing: Bool { state.withLock { $0.refreshesOpen > 0 } }

    private func note(_ line: String, _ check: (inout State) -> Void) {
        state.withLock { state in
            state.lines.append(line)
            check(&state)
        }
    }

    func reach(_ situation: Situation) { _ = state.withLock { $0.situations.insert(situation) } }

    /// A data request enters the transport.
    func send(_ token: String, request: UInt32) {
        note("send \(token) \(request)") { state in
            let owner = token.first.map(String.init) ?? ""
            let generation = Int(token.dropFirst()) ?? -1
            state.check(generation >= state.published[owner, default: 0], "S2 known dead \(token)")
            state.check(token.first == state.owner, "S6 bearer of nobody signed in: \(token)")
            state.sends[request, default: []].append(token)
            let sent = state.sends[request, default: []]
            state.check(sent.count <= 2, "S9 replays of \(request)")
            state.check(sent.allSatisfy { $0.first == token.first }, "S12 owners of \(request)")
        }
    }

    /// The server refuses a token.
    func refuse(_ token: String) {
        note("refuse \(token)") { state in
            state.refused[token, default: 0] += 1
            if state.refused[token] == 2 { state.situations.insert(.twoRefusals) }
        }
    }

    /// The client learns that a token is refused.
    func refusalArrives(_ token: String) {
        note("refused \(token)") { state in
            let owner = token.first.map(String.init) ?? ""
            let isLate = (Int(token.dropFirst()) ?? 0) < state.published[owner, default: 0]
            if isLate { state.situations.insert(.lateRefusal) }
        }
    }

    /// A refresh reaches the server.
    func refreshBegins(_ token: String, current: String) {
        note("refresh \(token)") { state in
            state.refreshesOpen += 1
            state.check(state.refreshesOpen == 1, "S1 refreshes in flight")
            state.check(state.refused[token] != nil, "S3 needless refresh of \(token)")
            state.check(
                !state.received.contains(token) && token == current, "S8 reuse of \(token)")
        }
    }

    /// A refresh's answer reaches the client.
    func refreshEnds(_ token: String, _ outcome: Plan.Fate) {
        note("refreshed \(token) \(outcome)") { state in
            state.refreshesOpen -= 1
            switch outcome {
            case .success: state.received.insert(token)
            case .rejected:
                state.rejections += 1
                state.situations.insert(.rejected)
            case .lost, .unavailable: state.situations.insert(.transientFailure)
            }
        }
    }

    /// The client says what became of its tokens; new ones are the server's current ones.
    func hear(_ event: TokenEvent, current: Int) {
        note("\(event)") { state in
            switch event {
            case .published:
                guard let owner = state.owner else {
                    return state.check(false, "S6 published after a sign-out")
                }
                state.check(state.stored == current, "S5 published before it was stored")
                state.published[String(owner)] = current
            case .sessionExpired:
                state.reports += 1
                state.check(state.rejections > 0, "S7 signed out without a rejection")
                state.check(state.reports <= state.rejections, "L4 told twice")
                state.owner = nil
            case .refreshBegan, .refreshFailed: break
            }
        }
    }

    /// The user signs out, and somebody else in.
    func leave(next: Character?) {
        note("leave") { state in
            state.owner = next
            state.stored = -1
            if state.refreshesOpen > 0 { state.situations.insert(.signedOutInRefresh) }
            if next != nil { state.situations.insert(.signedIn) }
        }
    }

    /// The store has a pair.
    func stored(_ pair: TokenPair) {
        note("store \(pair.access)") { state in
            let generation = Int(pair.access.dropFirst()) ?? -1
            state.check(pair.access.dropFirst() == pair.refresh.dropFirst(), "S5 mixed pair")
            guard pair.access.first == state.owner else { return }
            state.check(generation >= state.stored, "S5 stored generation decreased")
            state.stored = generation
        }
    }

    /// A call ended.
    func end(_ call: Int, _ outcome: String) {
        note("end \(call) \(outcome)") { state in
            state.ended[call, default: 0] += 1
            state.check(state.ended[call] == 1, "S13 call \(call) ended twice")
        }
    }

    /// Nothing can happen any more.
    func close(calls: Int, store: TokenPair?) {
        state.withLock { state in
            state.check(state.ended.count == calls, "L2 calls without an end")
            state.check(state.refreshesOpen == 0, "L1 refresh without an end")
            state.check(store?.access.first == state.owner, "S6 the store holds another's tokens")
            if let owner = state.owner {
                let generation = store.flatMap { Int($0.access.dropFirst()) }
                state.check(
                    generation == state.published[String(owner)], "S5 the store is behind")
            }
        }
    }
}

extension Ledger.State {
    fileprivate mutating func check(_ holds: Bool, _ violation: String) {
        if !holds { violations.append(violation) }
    }
}
