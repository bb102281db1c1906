import SquallBackend
import SquallFormat
import SquallHTTP
import SquallRaces
import SquallServices
import SquallSockets

/// A response of the control API; thrown where it refuses a request.
struct ControlAnswer: Error {
    var status = 200
    var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
    var body = Body.empty

    init(_ json: JSON, status: Int = 200) {
        (self.status, body) = (status, Body(json.document))
    }

    /// A page.
    init(html: String) {
        headers = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
            // In a frame of another page its buttons would be pressed unseen.
            "Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY",
        ]
        body = Body(html)
    }

    static func problem(_ text: String, status: Int) -> ControlAnswer {
        ControlAnswer(["error": .string(text)], status: status)
    }
}

/// A request of the control API that waits until nothing is under way, or until all drills ended.
struct ControlWait {
    let client: SocketServer.Client
    /// The time for which nothing may have happened; `nil` where drills are awaited.
    var span: Int64?
    /// The end of the wait, in real nanoseconds.
    let end: Int64
}

/// The control API, under `/_squall/`: a test drives the server by it.
extension LiveServer {
    static let controlPath = "/_squall"

    /// Answers a request to the control API; nil where the answer has to wait.
    func control(_ request: URLRequest, from client: SocketServer.Client) -> ControlAnswer? {
        let path = request.url.path.dropFirst(Self.controlPath.count)
        if let refusal = refusal(of: request, isControl: true) { return refusal }
        do throws(ControlAnswer) { return try answer(request, path, client) } catch { return error }
    }

    private func answer(
        _ request: URLRequest, _ path: Substring, _ client: SocketServer.Client
    ) throws(ControlAnswer) -> ControlAnswer? {
        switch (request.method, path) {
        case (.get, ""), (.get, "/"): return ControlAnswer(html: statusPage(request))
        case (.get, "/status"): return ControlAnswer(report.json)
        case (.get, "/findings"): return findings()
        case (.get, "/assert-none"), (.post, "/assert-none"): return findings(failing: true)
        case (.get, "/accounts"): return try accounts(request)
        case (.get, "/faults"): return ControlAnswer(["faults": .array(faults)])
        case (.get, "/quiet"), (.get, "/drills/end"):
            try awaitEnd(request, client, ofDrills: path == "/drills/end")
            return nil
        case (.get, "/drills"): return ControlAnswer(drills)
        case (.post, "/reset"):
            reset()
            return done(request)
        default: return try perform(request, path)
        }
    }

    /// Changes the world as a request says.
    private func perform(
        _ request: URLRequest, _ path: Substring
    ) throws(ControlAnswer) -> ControlAnswer {
        let answer = try world.perform(request.method, path, request.body)
        note(.control(request.method, path: String(path), request.body))
        return done(request, answer)
    }

    /// The response to a change that was made; a form of the page leads back to it.
    private func done(
        _ request: URLRequest, _ answer: ControlAnswer = ControlAnswer(["ok": .bool(true)])
    ) -> ControlAnswer {
        var answer = answer
        if request.value(forHTTPHeaderField: "Accept")?.contains("text/html") == true {
            answer.status = 303
            answer.headers.add(name: "Location", value: Self.controlPath + "/")
        }
        return answer
    }

    private func findings(failing: Bool = false) -> ControlAnswer {
        let found = report.findings
        let status = failing && !found.isEmpty ? 409 : 200
        return ControlAnswer(
            ["count": .integer(Int64(found.count)), "findings": .array(found.map(\.json))],
            status: status)
    }

    private func accounts(_ request: URLRequest) throws(ControlAnswer) -> ControlAnswer {
        let text = request.queryValue("user") ?? "0"
        guard let number = UInt64(text) else {
            throw .problem("user must be a number from 0 on, got '\(text)'", status: 400)
        }
        let count = setup.upstream == nil ? UInt64(setup.services.userCount) : 0
        let first = min(number, count)
        let users = first..<first + min(10, count - first)
        return ControlAnswer([
            "accounts": .array(
                users.map { user in
                    let (email, password) = credentials(of: user)
                    return ["email": .string(email), "password": .string(password)]
                })
        ])
    }

    private var faults: [JSON] {
        world.backend.begunFaults.map {
            ["number": .integer(Int64($0.number)), "kind": .string($0.name)]
        }
    }
}

extension LiveServer {
    private var drills: JSON {
        let drills = world.drills
        return [
            "isOver": .bool(drills.isOver), "awaits": drills.awaits.map(JSON.string) ?? .null,
            "drills": .array(drills.cells.map(\.json)),
        ]
    }
}

extension LiveServer {
    /// Answers when nothing has happened for a while, or when all drills have ended; with 408 when
    /// that takes too long.
    private func awaitEnd(
        _ request: URLRequest, _ client: SocketServer.Client, ofDrills: Bool
    ) throws(ControlAnswer) {
        func span(_ name: String, otherwise usual: Int64) throws(ControlAnswer) -> Int64 {
            guard let text = request.queryValue(name) else { return usual }
            guard let span = try? Units.nanoseconds(text), span <= Self.waitNanosecondsMax else {
                throw .problem(
                    "\(name) must be a duration up to 24h, such as 500ms, got '\(text)'",
                    status: 400)
            }
            return span
        }
        let quiet = ofDrills ? nil : try span("for", otherwise: 500_000_000)
        let longest = try span("timeout", otherwise: ofDrills ? 600_000_000_000 : 10_000_000_000)
        waits.append(ControlWait(client: client, span: quiet, end: nanoseconds + longest))
    }

    private static let waitNanosecondsMax: Int64 = 86_400_000_000_000

    /// Answers the waits that are over.
    func endWaits() {
        guard !waits.isEmpty else { return }
        let now = nanoseconds
        waits.removeAll { wait in
            let isMet =
                wait.span.map { underWay.isEmpty && now - lastActivity >= $0 }
                ?? world.drills.isOver
            guard isMet || now >= wait.end || isEnding else { return false }
            let told = wait.span == nil ? drills : ["quiet": .bool(isMet)]
            respond(ControlAnswer(told, status: isMet ? 200 : 408), to: wait.client)
            return true
        }
    }

    func respond(_ answer: ControlAnswer, to client: SocketServer.Client) {
        sockets.respond(
            to: client, status: answer.status, headers: answer.headers, body: answer.body)
    }
}

extension URLRequest {
    /// The value of a name in the query, as it stands there.
    func queryValue(_ name: String) -> String? {
        (url.query ?? "").split(separator: "&").first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }
}
