import SquallFormat
import SquallHTTP
import SquallLab
import SquallSockets

@testable import SquallLive

/// A token service with a habit that no profile can have, without sockets and with its own clock.
final class HabitWire: Wire {
    /// What makes it another service than one with rotating tokens of six seconds.
    struct Habit {
        /// True where each use of an access token renews it.
        var isSliding = false
        /// The number of sessions of its account.
        var sessions = Int.max
        /// The number of refreshes of a session.
        var refreshes = Int.max
        /// The number of times that a refresh token is good.
        var uses = 1
        /// True where a refresh brings no other refresh token.
        var isKept = false
        /// The age in seconds up to which a refresh brings the refresh token that it was shown, and
        /// whether that is accepted beside the one that comes then.
        var staysFor: (seconds: Int64, isGoodBeside: Bool)?
        /// The seconds in which a session has one refresh.
        var pause: Int64 = 0
        /// The seconds before the end of its access token from which on a refresh is accepted.
        var window: Int64?
        /// The member that tells the access token's life or end, from the seconds since 1970.
        var told: (_ now: Int64) -> String = { _ in #""expires_in":6"# }
    }

    private final class Session {
        var refreshes = 0
        var isOver = false
        var end: Int64 = 0
        var refreshed = Int64.min / 2
    }

    private let habit: Habit
    private(set) var now: Int64 = 0
    private var inbox: [(due: Int64, event: () -> Void)] = []
    private var access: [String: (session: Session, end: Int64)] = [:]
    private var refresh: [String: (session: Session, uses: Int, began: Int64)] = [:]
    private var sessions: [Session] = []
    private var count = 0
    private static let (life, travel): (Int64, Int64) = (6_000_000_000, 10_000_000)
    /// The service's clock is a day ahead.
    private static let epoch: Int64 = 784_198_177

    init(_ habit: Habit) { self.habit = habit }

    let (open, openMost, made) = (1, 1, 1)

    func begin(
        _ request: OutgoingRequest, connectionsOf lane: UInt64, at now: Int64,
        told: @escaping (Result<WireResponse, WireProblem>) -> Void
    ) -> () -> Void {
        let (status, body) = answer(request)
        let second = (self.now + Self.travel) / 1_000_000_000
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(2) }
        let response = WireResponse(
            status: status,
            headers: HTTPHeaders(
                [
                    HTTPHeader(
                        name: "Date", value: "Mon, 07 Nov 1994 \(clock.joined(separator: ":")) GMT")
                ] + (status == 429 ? [HTTPHeader(name: "Retry-After", value: "3")] : [])),
            body: Array(body.utf8))
        inbox.append((self.now + 2 * Self.travel, { told(.success(response)) }))
        return {}
    }

    func wait(nanoseconds span: Int64) {
        now = max(now, min(now + span, inbox.map(\.due).min() ?? .max))
    }

    func enter(at now: Int64) {
        let came = inbox.filter { $0.due <= now }
        inbox.removeAll { $0.due <= now }
        for event in came { event.event() }
    }

    private func answer(_ request: OutgoingRequest) -> (Int, String) {
        guard case .whole(let body) = request.upload else { return (400, "{}") }
        switch request.target {
        case "/me":
            let shown = String((request.headers["Authorization"] ?? "").dropFirst(7))
            guard let own = access[shown], !own.session.isOver, own.end > arrival else {
                return (401, access[shown] == nil ? "{}" : #"{"error":"expired"}"#)
            }
            if habit.isSliding { access[shown]?.end = arrival + Self.life }
            return (200, #"{"name":"a"}"#)
        case "/in":
            sessions.append(Session())
            if sessions.count > habit.sessions { sessions.removeFirst().isOver = true }
            return (200, tokens(sessions[sessions.count - 1]))
        default:
            let shown = (try? JSONParser.parse(body.bytes))?["refresh_token"]?.value
            guard case .string(let token)? = shown, let own = refresh[token], !own.session.isOver,
                own.uses < habit.uses, own.session.refreshes < habit.refreshes
            else { return (400, #"{"error":"invalid_grant"}"#) }
            if let window = habit.window, own.session.end - arrival > window * 1_000_000_000 {
                return (400, #"{"error":"too_early"}"#)
            }
            if arrival - own.session.refreshed < habit.pause * 1_000_000_000 {
                return (429, #"{"error":"slow_down"}"#)
            }
            own.session.refreshed = arrival
            if let stays = habit.staysFor {
                let isYoung = arrival - own.began < stays.seconds * 1_000_000_000
                if !isYoung, !stays.isGoodBeside { refresh[token] = nil }
                return (200, tokens(own.session, bringing: isYoung ? token : nil))
            }
            refresh[token]?.uses += 1
            own.session.refreshes += 1
            return (200, tokens(own.session, keeping: habit.isKept))
        }
    }

    private var arrival: Int64 { now + Self.travel }

    private func tokens(
        _ session: Session, keeping isKept: Bool = false, bringing same: String? = nil
    ) -> String {
        count += 1
        session.end = arrival + Self.life
        access["access-\(count)"] = (session, session.end)
        var members = [#""access_token":"access-\#(count)""#]
        if !isKept {
            let token = same ?? "refresh-\(count)"
            if same == nil { refresh[token] = (session, 0, arrival) }
            members.append(#""refresh_token":"\#(token)""#)
        }
        members.append(habit.told(Self.epoch - Self.epoch % 86_400 + arrival / 1_000_000_000))
        return "{\(members.joined(separator: ","))}"
    }

    /// The report of a probe that was told the calls alone.
    static func probed(_ change: (inout Habit) -> Void) throws -> ProbeReport {
        var habit = Habit()
        change(&habit)
        let wire = HabitWire(habit)
        var form = TokenForm.bearer
        form.logIn.take(target: "/in")
        form.refresh.take(target: "/renew")
        var calls = TokenCalls(form)
        calls.open = Set(TokenCalls.Part.allCases)
        calls.protected = (.get, "/me")
        calls.signsOut = false
        return TokenProbe(
            try DriveTarget("http://127.0.0.1:9"), over: wire, calls,
            [UserAccount(email: "a@example.com", password: "password-0")], ProbeLimits(),
            clock: { wire.now }, isStopped: { false }
        ).run()
    }
}
