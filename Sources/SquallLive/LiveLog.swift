import Foundation
import SquallBackend
public import SquallFormat
import SquallHTTP
import SquallKernel
import SquallRaces

/// A live session as it came, line by line: what replays it in virtual time.
///
/// An entry has the instant and the turn at which it entered the simulation; entries of one turn
/// enter before anything else happens.
struct LiveEntry {
    let turn: Int
    let at: Int64
    let event: Event

    /// What came from outside.
    enum Event {
        case request(UInt64, connection: UInt64, URLRequest)
        /// The client of a request has gone.
        case left(UInt64)
        case closed(connection: UInt64)
        case control(HTTPMethod, path: String, Body)
        case reset
        case end
    }

    var json: JSON {
        var members: [String: JSON] = ["turn": .integer(Int64(turn)), "at": .integer(at)]
        switch event {
        case .request(let number, let connection, let request):
            members["request"] = .integer(Int64(number))
            members["connection"] = .integer(Int64(connection))
            members["method"] = .string(request.method.rawValue)
            members["path"] = .string(request.url.path)
            if let query = request.url.query { members["query"] = .string(query) }
            members["headers"] = .array(
                request.headers.map { .array([.string($0.name), .string($0.value)]) })
            members["body"] = Self.json(request.body)
        case .left(let number): members["left"] = .integer(Int64(number))
        case .closed(let connection): members["closed"] = .integer(Int64(connection))
        case .control(let method, let path, let body):
            members["control"] = .string(path)
            members["method"] = .string(method.rawValue)
            members["body"] = Self.json(body)
        case .reset: members["reset"] = .bool(true)
        case .end: members["end"] = .bool(true)
        }
        return .object(members)
    }

    private static func json(_ body: Body) -> JSON {
        .string(Data(body.bytes).base64EncodedString())
    }
}

extension LiveEntry {
    /// Reads an entry; requests are for the origin.
    ///
    /// - Throws: ``LiveLogProblem``.
    init(_ node: JSONNode, origin: String) throws(LiveLogProblem) {
        func number(_ name: String) -> Int64? {
            if case .number(let text)? = node[name]?.value { Int64(text) } else { nil }
        }
        func text(_ name: String) -> String? {
            if case .string(let text)? = node[name]?.value { text } else { nil }
        }
        let body = text("body").flatMap { Data(base64Encoded: $0) }.map { Body(Array($0)) }
        let method = text("method").map(HTTPMethod.init(rawValue:)) ?? .get
        guard let turn = number("turn"), let at = number("at"), at >= 0 else {
            throw LiveLogProblem(description: "an entry has no turn or no instant")
        }
        (self.turn, self.at) = (Int(turn), at)
        if let request = number("request"), let connection = number("connection"),
            let path = text("path"), request >= 0, connection >= 0
        {
            let url = WebURL(origin: origin, path: path, query: text("query"))
            event = .request(
                UInt64(request), connection: UInt64(connection),
                URLRequest(
                    url: url, method: method, headers: Self.headers(node["headers"]),
                    body: body ?? .empty))
        } else if let request = number("left"), request >= 0 {
            event = .left(UInt64(request))
        } else if let connection = number("closed"), connection >= 0 {
            event = .closed(connection: UInt64(connection))
        } else if let path = text("control") {
            event = .control(method, path: path, body ?? .empty)
        } else if node["reset"] != nil {
            event = .reset
        } else if node["end"] != nil {
            event = .end
        } else {
            throw LiveLogProblem(description: "an entry is none that is known")
        }
    }

    private static func headers(_ node: JSONNode?) -> HTTPHeaders {
        guard case .array(let fields)? = node?.value else { return [] }
        var headers = HTTPHeaders()
        for field in fields {
            guard case .array(let parts) = field.value, parts.count == 2,
                case .string(let name) = parts[0].value, case .string(let value) = parts[1].value
            else { continue }
            headers.append(HTTPHeader(name: name, value: value))
        }
        return headers
    }
}

/// Why a log cannot be replayed.
public struct LiveLogProblem: Error, CustomStringConvertible {
    /// What is wrong with it.
    public let description: String

    /// A problem in words.
    public init(description: String) { self.description = description }
}

/// Replays the log of a live session in virtual time, without sockets.
public final class LiveReplay {
    private let setup: LiveSetup
    private var world: LiveWorld
    private var underWay: [UInt64: Backend.LiveExchange] = [:]
    private var turn = 0
    private var hasEnded = false

    /// A replay of a setup's session, which begins with the epoch that the session had.
    public init(_ setup: LiveSetup) {
        self.setup = setup
        world = LiveWorld(setup)
    }

    /// Takes the next line of the log.
    ///
    /// - Throws: ``LiveLogProblem``, and what the simulation throws.
    public func take(_ line: JSONNode) throws {
        let entry = try LiveEntry(line, origin: setup.origin)
        let at = Instant(nanoseconds: entry.at)
        if case .reset = entry.event {
        } else {
            guard at >= world.simulation.now, !hasEnded else {
                throw LiveLogProblem(description: "entries are not in their order")
            }
            if entry.turn != turn { try world.simulation.follow(until: at) }
        }
        turn = entry.turn
        enter(entry.event)
    }

    /// What came of it so far.
    public func report() throws -> LiveReport {
        try world.simulation.follow(until: world.simulation.now)
        for number in underWay.keys.sorted() {
            if let exchange = underWay[number] { world.backend.abandon(exchange) }
        }
        underWay = [:]
        world.endDrills()
        return LiveReport(of: world)
    }

    private func enter(_ event: LiveEntry.Event) {
        switch event {
        case .request(let number, let connection, let request):
            // An answer takes an event at least.
            underWay[number] = world.take(request, connection: connection) { [unowned self] _ in
                underWay[number] = nil
            }
        case .left(let number):
            if let exchange = underWay.removeValue(forKey: number) {
                world.backend.abandon(exchange)
            }
        case .closed(let connection): world.judge.closed(connection: connection)
        case .control(let method, let path, let body):
            _ = try? world.perform(method, path[...], body)
        case .reset:
            let old = world
            world = LiveWorld(setup)
            old.endDrills()
            underWay = [:]
        case .end: hasEnded = true
        }
    }
}
