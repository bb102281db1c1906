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

    /// A happening from outside the simulation.
    enum Event {
        /// `began` is when its first byte came, where that was earlier.
        case request(UInt64, connection: UInt64, began: Int64?, URLRequest)
        /// The client of a request has gone.
        case left(UInt64)
        case closed(connection: UInt64, isUnread: Bool)
        case control(HTTPMethod, path: String, Body)
        /// The real server has answered the request that the backend counts so.
        case answered(UInt64, Answer)
        /// There is no response of the real server, for a reason.
        case unanswered(UInt64, status: Int, String)
        /// Nothing was read or sent for so long: the process was stopped, or the machine suspended.
        case stoodStill(Int64)
        case reset
        case end
    }

    var json: JSON {
        var members: [String: JSON] = ["turn": .integer(Int64(turn)), "at": .integer(at)]
        switch event {
        case .request(let number, let connection, let began, let request):
            members["request"] = .integer(Int64(number))
            members["connection"] = .integer(Int64(connection))
            if let began { members["began"] = .integer(began) }
            members["method"] = .string(request.method.rawValue)
            members["path"] = .string(request.url.path)
            if let query = request.url.query { members["query"] = .string(query) }
            members["headers"] = Self.json(request.headers)
            members["body"] = Self.json(request.body)
        case .left(let number): members["left"] = .integer(Int64(number))
        case .closed(let connection, let isUnread):
            members["closed"] = .integer(Int64(connection))
            if isUnread { members["unread"] = .bool(true) }
        case .control(let method, let path, let body):
            members["control"] = .string(path)
            members["method"] = .string(method.rawValue)
            members["body"] = Self.json(body)
        case .answered(let number, let answer):
            members["answered"] = .integer(Int64(number))
            members["status"] = .integer(Int64(answer.status))
            members["headers"] = Self.json(answer.headers)
            members["body"] = Self.json(answer.body)
        case .unanswered(let number, let status, let reason):
            members["unanswered"] = .integer(Int64(number))
            members["status"] = .integer(Int64(status))
            members["reason"] = .string(reason)
        case .stoodStill(let span): members["stoodStill"] = .integer(span)
        case .reset: members["reset"] = .bool(true)
        case .end: members["end"] = .bool(true)
        }
        return .object(members)
    }

    private static func json(_ headers: HTTPHeaders) -> JSON {
        .array(headers.map { .array([.string($0.name), .string($0.value)]) })
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
        let line = LogLine(node: node)
        guard let turn = line.number("turn"), let at = line.number("at") else {
            throw LiveLogProblem(description: "an entry has no turn or no instant")
        }
        guard let event = line.event(origin: origin) else {
            throw LiveLogProblem(description: "an entry is none that is known")
        }
        (self.turn, self.at, self.event) = (Int(turn), Int64(at), event)
    }
}

/// A line of a log, member by member.
private struct LogLine {
    let node: JSONNode

    /// A whole number, at least 0.
    func number(_ name: String) -> UInt64? {
        guard case .number(let text)? = node[name]?.value, let number = Int64(text), number >= 0
        else { return nil }
        return UInt64(number)
    }

    func event(origin: String) -> LiveEntry.Event? {
        if let request = number("request"), let connection = number("connection"),
            let path = text("path")
        {
            let url = WebURL(origin: origin, path: path, query: text("query"))
            let sent = URLRequest(url: url, method: method, headers: headers, body: body)
            let began = number("began").map { min(Int64($0), Int64(number("at") ?? 0)) }
            return .request(request, connection: connection, began: began, sent)
        }
        if let number = number("answered"), let status {
            return .answered(number, Answer(status: status, headers: headers, body: body))
        }
        if let number = number("unanswered"), let status, let reason = text("reason") {
            return .unanswered(number, status: status, reason)
        }
        if let request = number("left") { return .left(request) }
        if let connection = number("closed") {
            return .closed(connection: connection, isUnread: node["unread"] != nil)
        }
        if let span = number("stoodStill") { return .stoodStill(Int64(span)) }
        if let path = text("control") { return .control(method, path: path, body) }
        if node["reset"] != nil { return .reset }
        return node["end"] == nil ? nil : .end
    }

    private func text(_ name: String) -> String? { node.text(name) }

    private var method: HTTPMethod { text("method").map(HTTPMethod.init(rawValue:)) ?? .get }

    private var status: Int? { number("status").flatMap { $0 < 1_000 ? Int($0) : nil } }

    private var body: Body {
        text("body").flatMap { Data(base64Encoded: $0) }.map { Body(Array($0)) } ?? .empty
    }

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for field in node["headers"]?.elements ?? [] {
            let parts = field.elements.map(\.string)
            guard parts.count == 2, let name = parts[0], let value = parts[1] else { continue }
            headers.append(HTTPHeader(name: name, value: value))
        }
        return headers
    }
}

/// A log that cannot be replayed.
public struct LiveLogProblem: Error, CustomStringConvertible {
    /// What is wrong, in words.
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

    /// The requests of which the client waits, for the service to hand out.
    private var waiting: Set<ExchangeKey> = []

    /// A replay of a setup's session, which begins with the epoch that the session had.
    public init(_ setup: LiveSetup) {
        self.setup = setup
        world = LiveWorld(setup)
        attach()
    }

    /// Lets requests wait for what the log says that the real server answered.
    private func attach() {
        world.upstream?.handOut = { [unowned self] _, _, scene in
            waiting.contains(ExchangeKey(scene))
        }
    }

    /// Plays up to the time of the next line of the log, and lets what that says enter.
    ///
    ///  - Throws: ``LiveLogProblem``, and what the simulation throws.
    public func take(_ line: JSONNode) throws {
        let entry = try LiveEntry(line, origin: setup.origin)
        guard Double(entry.at) <= Double(Self.nanosecondsMax) * max(1, setup.speed) else {
            throw LiveLogProblem(
                description: "an entry lies \(Units.approximate(nanoseconds: entry.at)) behind the"
                    + " beginning, and no session lasts longer than a year")
        }
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

    private static let nanosecondsMax: Int64 = 366 * 86_400_000_000_000

    /// The report of what was replayed so far; in part where the log has no end.
    public func report() throws -> LiveReport {
        try world.simulation.follow(until: world.simulation.now)
        for number in underWay.keys.sorted() {
            if let exchange = underWay[number] { world.backend.abandon(exchange) }
        }
        underWay = [:]
        world.endDrills()
        return LiveReport(of: world, isWhole: hasEnded)
    }

    private func enter(_ event: LiveEntry.Event) {
        switch event {
        case .request(let number, let connection, let began, let request):
            // An answer takes an event at least.
            let exchange = world.take(request, connection: connection, began: began) {
                [unowned self] _ in end(number)
            }
            underWay[number] = exchange
            waiting.insert(ExchangeKey(exchange.cause))
        case .left(let number): if let exchange = end(number) { world.backend.abandon(exchange) }
        case .closed(let connection, let isUnread):
            world.judge.closed(connection: connection, isUnread: isUnread)
        case .control(let method, let path, let body):
            _ = try? world.perform(method, path[...], body)
        case .answered(let number, let answer): world.upstream?.answer(number, with: answer)
        case .unanswered(let number, let status, let reason):
            world.upstream?.fail(number, status: status, reason)
        case .stoodStill(let span): world.stoodStill(nanoseconds: span)
        case .reset: reset()
        case .end: hasEnded = true
        }
    }

    /// Takes a request out of those under way; `nil` for one that is not among them.
    @discardableResult
    private func end(_ number: UInt64) -> Backend.LiveExchange? {
        let exchange = underWay.removeValue(forKey: number)
        if let exchange { waiting.remove(ExchangeKey(exchange.cause)) }
        return exchange
    }

    private func reset() {
        let old = world
        world = LiveWorld(setup)
        attach()
        old.endDrills()
        (underWay, waiting) = ([:], [])
    }
}
