import SquallFormat
import SquallHTTP
import SquallKernel

/// The connections of all phones: which there are, what they carry and when they end.
///
/// A connection that rests costs no event, unless a policy decides what happens when: whether it
/// has ended is asked when a request would use it. Where nothing ends it but a fault, it is only
/// counted. 24 bytes a connection, 20 for each host that a phone talks to, 8 more where its name is
/// looked up, and 40 more a connection only where the server ends some.
final class ConnectionTable {
    let plan: ConnectionPlan
    /// How many connections a phone may have to a host.
    let connectionsMax: Int
    /// True if a server's closing and the word of it are events, for a policy to choose.
    let endsByEvents: Bool
    var hosts = PagedList<Host>()
    var connections = PagedList<Connection>()
    /// By host, from when on its name is known, for as long as the plan says; empty where names are
    /// not looked up.
    private var namesFound = PagedList<Int64>()
    private let looksNamesUp: Bool
    /// By connection, as far as the server limits them or has ended any.
    private var endings: [Ending] = []
    private let isLimited: Bool
    /// True if a connection that rests is like every other of its host, so that a count will do.
    private let countsResting: Bool
    /// By number, the users on whose lines certificates come.
    var certificates: [UInt64: UInt64] = [:]
    /// By connection, what is known of one that is being set up.
    var settingUp: [Int32: SetUp] = [:]
    /// Handshakes at the server, which works on some of them at once, and how many were begun.
    var handshakes: ServerQueue
    var handshakesBegun: UInt64 = 0
    /// By user: since when the radio is awake, or will be, and when it last carried anything.
    private var radios: [UInt64: (awake: Int64, last: Int64)] = [:]
    /// By host, exchanges that wait for their turn; a line of its own took each host 8 bytes.
    private var lines: [Int32: ConnectionLine] = [:]
    /// By user, the newest of its hosts; -1 for none.
    private var newest: [Int32]
    private var origins: [String] = []
    private var free: [Int32] = []

    /// A host that one session of a phone talks to.
    struct Host {
        let user: UInt32
        /// Its session's pool and, below that, the number of its origin; its draws depend on both.
        let key: UInt32
        /// Its user's next older one; -1 for none.
        let next: Int32
        /// Its newest connection; -1 for none.
        var first: Int32 = -1
        /// How many connections were set up; begins anew behind the largest number.
        var setUps: UInt16 = 0
        /// How many more connections rest, which have no record.
        var resting: UInt16 = 0
    }

    /// One connection, or a free place for one.
    struct Connection {
        var host: Int32
        /// Its host's next older one; -1 for none.
        var next: Int32
        /// How often the place was given back: an event for an earlier one finds nothing.
        var tenancy: UInt32
        var state = State.settingUp
        /// True if the server says GOAWAY when it closes.
        var isLeaving = false
        /// How many exchanges it carries, as the client counts.
        var carried: UInt16 = 0
        /// When it last carried something, for the client.
        var restsSince: Int64 = 0
    }

    /// The server's part of a connection's end.
    struct Ending {
        var opened: Int64 = 0
        /// How many requests it has taken.
        var taken: UInt32 = 0
        /// When it last carried something, for the server.
        var quietSince: Int64 = 0
        /// From when on the server takes nothing more from it, and when the client learns of that;
        /// before that instant is known, the longest time.
        var closes = Int64.max
        var notice = Int64.max
    }

    enum State: UInt8 {
        case settingUp
        /// Safe requests can go, others wait for the handshake.
        case early
        case open
        /// Takes no further request.
        case closing
        /// Dead, and the client does not know.
        case stalled
        case free
    }

    /// What is known of a connection while it is set up.
    struct SetUp {
        var began: Instant
        /// How long radio, name, TCP and TLS take, in nanoseconds; TLS without the server's
        /// processor.
        var radio: Int64 = 0
        var name: Int64 = 0
        var connect: Int64 = 0
        var secure: Int64 = 0
        /// How many bytes of certificates come behind that, over the user's line.
        var certificateBytes = 0
        /// The part of TLS that follows the server's work on the handshake.
        var rest: Int64 = 0
        /// Why it fails, where it does, and how long after its first bytes.
        var failure: (code: TransportError.Code, after: Int64)?
        /// Exchanges that wait for it.
        var pending: [UInt64] = []
    }

    init(_ plan: ConnectionPlan, connectionsPerHost: Int, users: Int, endsByEvents: Bool) {
        self.plan = plan
        handshakes = ServerQueue(workers: plan.handshakeWorkers, queueLimit: .max)
        newest = Array(repeating: -1, count: users)
        self.endsByEvents = endsByEvents
        isLimited =
            plan.serverIdleNanoseconds != nil || plan.requestsMax != nil
            || plan.ageNanoseconds != nil
        countsResting = !isLimited && !endsByEvents && plan.clientIdleNanoseconds == nil
        looksNamesUp = plan.lookUp != .constant(nanoseconds: 0)
        connectionsMax = plan.carrier == .http1 ? connectionsPerHost : 1
    }

    /// How long a user's radio takes to carry something, which it does then.
    func wake(_ user: UInt64, at now: Int64, _ draws: RandomStream) -> Int64 {
        guard let radio = plan.radio else { return 0 }
        var state = radios[user] ?? (awake: 0, last: .min)
        if state.last == .min || now - state.last > radio.idleNanoseconds {
            state.awake = now.clampedSum(radio.promotion.sample(draws, at: UInt64(now)))
        }
        state.last = max(now, state.awake)
        radios[user] = state
        return max(0, state.awake - now)
    }

    /// A user's radio has carried something.
    func carried(_ user: UInt64, at now: Int64) {
        if plan.radio != nil { radios[user]?.last = now }
    }

    /// How long a host's name is looked up from an instant on; not at all while it is known.
    func nameWait(_ host: Int32, at now: Instant, _ draws: RandomStream) -> Int64 {
        guard looksNamesUp else { return 0 }
        let (index, now) = (Int(host), now.nanoseconds)
        if namesFound[index].clampedSum(plan.lookUpCacheNanoseconds) <= now {
            namesFound[index] = now.clampedSum(plan.lookUp.sample(draws, at: 1))
        }
        return max(0, namesFound[index] - now)
    }

    /// The place of the host that an exchange goes to.
    func host(of exchange: Exchange) -> Int32 {
        let origin = exchange.request.url.origin
        let number =
            origins.firstIndex(of: origin)
            ?? {
                origins.append(origin)
                return origins.count - 1
            }()
        let key = UInt32(exchange.cause.pool) << 16 | UInt32(number)
        let user = Int(exchange.cause.user)
        // Users of a live backend come as they sign in.
        if user >= newest.count {
            newest += repeatElement(-1, count: max(user + 1 - newest.count, newest.count / 2))
        }
        var next = newest[user]
        while next >= 0, hosts[Int(next)].key != key { next = hosts[Int(next)].next }
        if next >= 0 { return next }
        hosts.append(Host(user: UInt32(user), key: key, next: newest[user]))
        if looksNamesUp { namesFound.append(.min) }
        newest[user] = Int32(hosts.count - 1)
        return newest[user]
    }

    /// A connection that carries one more request now; nil when a new one is to be set up, or when
    /// there may be none, which `isFull` tells.
    func usable(_ host: Int32, at now: Int64, notice: (Int32) -> Int64) -> (Int32?, isFull: Bool) {
        if hosts[Int(host)].resting > 0 { return (recall(to: host), isFull: false) }
        var (best, count): (Int32?, Int) = (nil, 0)
        var next = hosts[Int(host)].first
        while next >= 0 {
            let place = next
            next = connections[Int(place)].next
            if isOver(place, at: now, notice: notice) {
                remove(place)
                continue
            }
            let connection = connections[Int(place)]
            guard connection.state != .closing || plan.carrier == .http1 else { continue }
            count += 1
            guard connection.state != .closing, connection.carried < plan.carriedAtOnce else {
                continue
            }
            if best.map({ connections[Int($0)].restsSince < connection.restsSince }) ?? true {
                best = place
            }
        }
        return (best, count >= connectionsMax)
    }

    /// True if the client knows that a resting connection has ended, or ends it itself; notes also
    /// what it has learnt of one that carries something.
    private func isOver(_ place: Int32, at now: Int64, notice: (Int32) -> Int64) -> Bool {
        let index = Int(place)
        if ending(place).closes <= now, connections[index].state == .open {
            if ending(place).notice == .max, !endsByEvents {
                let notice = notice(place)
                changeEnding(place) { $0.notice = notice }
            }
            if ending(place).notice < now { connections[index].state = .closing }
        }
        guard connections[index].carried == 0 else { return false }
        if connections[index].state == .closing { return true }
        guard let limit = plan.clientIdleNanoseconds else { return false }
        return now - connections[index].restsSince > limit
    }

    /// The server's part of the end of a connection.
    func ending(_ place: Int32) -> Ending {
        place < endings.count ? endings[Int(place)] : Ending()
    }

    func changeEnding(_ place: Int32, _ change: (inout Ending) -> Void) {
        if endings.count < connections.count {
            endings += repeatElement(Ending(), count: connections.count - endings.count)
        }
        change(&endings[Int(place)])
    }

    /// Notes what the server does with a connection; not kept where it ends none.
    func noteEnding(_ place: Int32, _ note: (inout Ending) -> Void) {
        if isLimited || !endings.isEmpty { changeEnding(place, note) }
    }

    /// A connection that carries nothing any more rests, without a record if there need be none.
    func rest(_ place: Int32) {
        guard countsResting, connections[Int(place)].state == .open else { return }
        hosts[Int(connections[Int(place)].host)].resting += 1
        remove(place)
    }

    /// A record again of a connection that rests without.
    private func recall(to host: Int32) -> Int32 {
        let place = place(at: host)
        hosts[Int(host)].resting -= 1
        connections[Int(place)].state = .open
        return place
    }

    /// Records of the connections of some users that rest without, for a fault to strike.
    func recall(of isMeant: (UInt64) -> Bool) {
        for host in hosts.indices where hosts[host].resting > 0 {
            guard isMeant(UInt64(hosts[host].user)) else { continue }
            for _ in 0..<hosts[host].resting { _ = recall(to: Int32(host)) }
        }
    }

    /// A place for a new connection to a host.
    func add(to host: Int32) -> Int32 {
        hosts[Int(host)].setUps &+= 1
        return place(at: host)
    }

    private func place(at host: Int32) -> Int32 {
        let first = hosts[Int(host)].first
        let place: Int32
        if let last = free.popLast() {
            place = last
            let tenancy = connections[Int(place)].tenancy
            connections[Int(place)] = Connection(host: host, next: first, tenancy: tenancy)
            noteEnding(place) { $0 = Ending() }
        } else {
            place = Int32(connections.count)
            connections.append(Connection(host: host, next: first, tenancy: 0))
        }
        hosts[Int(host)].first = place
        return place
    }

    func remove(_ place: Int32) {
        let connection = connections[Int(place)]
        if hosts[Int(connection.host)].first == place {
            hosts[Int(connection.host)].first = connection.next
        } else {
            var before = hosts[Int(connection.host)].first
            while connections[Int(before)].next != place { before = connections[Int(before)].next }
            connections[Int(before)].next = connection.next
        }
        connections[Int(place)].state = .free
        connections[Int(place)].tenancy &+= 1
        settingUp[place] = nil
        free.append(place)
    }

    /// Has an exchange wait for its turn.
    func wait(_ exchange: Exchange, in exchanges: ExchangeTable) {
        lines[exchange.host, default: ConnectionLine()].append(exchange, in: exchanges)
    }

    /// The exchange that has waited longest for a host.
    func nextWaiting(for host: Int32, in exchanges: ExchangeTable) -> Exchange? {
        lines.isEmpty ? nil : lines[host]?.next(in: exchanges)
    }

    /// An exchange waits no more, if it did.
    func endWait(of exchange: Exchange, in exchanges: ExchangeTable) {
        guard var line = lines[exchange.host] else { return }
        line.remove(exchange, in: exchanges)
        lines[exchange.host] = line.isEmpty ? nil : line
    }

    /// The user whose phone has a connection.
    func user(of place: Int32) -> UInt64 {
        UInt64(hosts[Int(connections[Int(place)].host)].user)
    }

    /// What events name a connection by.
    func number(_ place: Int32) -> UInt64 {
        UInt64(connections[Int(place)].tenancy) << 32 | UInt64(place)
    }

    /// The place of a connection that an event names; nil when it is no more.
    func place(_ number: UInt64) -> Int32? {
        let place = Int32(truncatingIfNeeded: number & 0xFFFF_FFFF)
        return connections[Int(place)].tenancy == UInt32(number >> 32) ? place : nil
    }
}
