public import SquallBackend
import SquallJudge
public import SquallKernel

/// Writes down what happens in a run; every observer of the run reports to it.
///
/// Used on the simulation's thread only.
public final class HistoryRecorder {
    /// The history so far.
    @exclusivity(unchecked) public internal(set) var history = History()
    /// How much time has passed beside the simulation's, in nanoseconds; may be negative.
    @exclusivity(unchecked) var skippedNanoseconds: Int64 = 0
    private let simulation: Simulation
    private let schedule: Schedule?
    @exclusivity(unchecked) private var names = [String: Int](minimumCapacity: 16)
    /// The texts of the tokens.
    @exclusivity(unchecked) private var tokens = Positions<String>()
    /// How many tokens of a kind a user has had.
    private var numbers: [TokenRow: Int] = [:]

    private struct TokenRow: Hashable {
        let user: UInt64
        let kind: TokenMint.Kind
    }

    /// A recorder of a simulation that counts the choices of its schedule.
    public init(_ simulation: Simulation, _ schedule: Schedule? = nil) {
        self.simulation = simulation
        self.schedule = schedule
        history.events.reserveCapacity(128)
    }

    /// An event that happens now, in the task that runs now.
    public func event(_ kind: RaceEvent.Kind, user: UInt64) -> RaceEvent {
        var event = RaceEvent(kind, at: simulation.now.nanoseconds + skippedNanoseconds)
        event.choice = schedule?.choices.count ?? 0
        event.user = Int(user)
        if let running = simulation.running, running.kind != .message, running.kind != .timer {
            event.task = running.number
        }
        return event
    }

    /// Notes that an action of a user started the running task, and sent a request if there is one.
    func belongs(to action: String, request: Int? = nil) {
        if let running = simulation.running, running.kind != .message, running.kind != .timer {
            history.starters[running.number] = action
        }
        if let request { history.callers[request] = action }
    }

    /// Writes an event down; returns its position.
    @discardableResult
    public func note(_ event: RaceEvent) -> Int {
        let index = history.events.count
        history.events.append(event)
        if let request = event.request {
            let call = RaceCall(user: event.user, request: request)
            history.events[index].call = history.calls[call] ?? history.calls.add(call)
        }
        return index
    }

    /// Notes that a user of a drill signs in.
    func entered(_ person: String) {
        if !history.people.contains(person) { history.people.append(person) }
    }

    /// The position of a name, which is added if new.
    public func name(_ name: String) -> Int {
        if let known = names[name] { return known }
        history.names.append(name)
        names[name] = history.names.count - 1
        return history.names.count - 1
    }

    /// Notes a new token; returns its position.
    ///
    /// A token that is known already keeps its position. Its number is the next among those of
    /// `row`, the user by default: an app that starts again is another user of its device.
    @discardableResult
    public func token(
        _ text: String, _ kind: TokenMint.Kind, of user: UInt64, account: UInt64? = nil,
        in row: UInt64? = nil, generation: Int = 0, expiry: Int64? = nil
    ) -> Int {
        if let known = self.token(text) { return known }
        let key = TokenRow(user: row ?? user, kind: kind)
        let number = numbers[key, default: 0]
        numbers[key] = number + 1
        history.tokens.append(
            RaceToken(
                user: Int(user), account: account.map(Int.init), kind: kind, number: number,
                generation: generation,
                life: TokenLife(
                    issuedAt: simulation.now.nanoseconds + skippedNanoseconds,
                    expiry: expiry.flatMap { $0 < .max / 2 ? $0 + skippedNanoseconds : nil })))
        return tokens.add(text)
    }

    /// The position of a token that was issued; `nil` for any other text.
    public func token(_ text: String) -> Int? { tokens[text] }

    /// Changes what is known of an event.
    public func amend(_ index: Int, _ change: (inout RaceEvent) -> Void) {
        change(&history.events[index])
    }

    /// Changes what is known of the world.
    public func describe(_ change: (inout History.Setting) -> Void) { change(&history.setting) }

    /// Adds evidence that is no event.
    public func saw(_ evidence: Evidence) { history.seen.formUnion(evidence) }

    /// Ends the recording of a run that invariants do not judge.
    func end(_ ending: History.Ending) {
        history.ending = ending
        history.endedAt = simulation.now.nanoseconds
    }

    /// The refreshes by now that no expiry needed, by the numbers of their requests; those that
    /// have not ended are judged last.
    public var redundantRefreshes: [Int] {
        AttemptReader(history).attempts.filter { $0.reason?.isRedundant ?? false }
            .compactMap(\.sent.request)
    }

    /// Ends the recording.
    public func close(_ ending: History.Ending, _ audits: [AuditFinding] = []) {
        end(ending)
        history.audits = audits
        let reader = AttemptReader(history)
        (history.attempts, history.evidence) = (reader.attempts, reader.evidence)
        history.users = reader.users.all.sorted()
    }
}
