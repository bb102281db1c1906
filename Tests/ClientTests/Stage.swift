import HTTP
import Synchronization

@testable import Client

/// A session on a transport that answers from a list, with everything that happened written down.
final class Stage: Sendable {
    /// What the transport answers, one entry an attempt; the last one again and again.
    typealias Script =
        @Sendable (_ request: URLRequest, _ cause: RequestCause) ->
        Result<(Int, String), TransportError>

    let log = Log()
    let environment: SessionEnvironment

    init(_ script: @escaping Script) {
        environment = SessionEnvironment(
            transport: ScriptedTransport(log: log, script: script), time: InstantTime(log: log),
            random: Zeros(), eventMonitors: [LoggingMonitor(log: log)])
    }

    /// A stage whose attempts are answered with these statuses in turn, 200 bringing a value.
    convenience init(statuses: [Int]) {
        let attempts = Mutex(0)
        self.init { _, _ in
            let index = attempts.withLock { count in
                count += 1
                return count - 1
            }
            let status = statuses[min(index, statuses.count - 1)]
            return .success((status, status == 200 ? #"{"id":7}"# : #"{"message":"no"}"#))
        }
    }

    func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
        Session(environment: environment, user: 3, interceptor: interceptor)
    }
}

/// What the answers decode to.
struct Item: Decodable, Equatable, Sendable {
    let id: Int
}

/// Lines in the order in which things happened.
final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    func add(_ line: String) { entries.withLock { $0.append(line) } }

    func count(_ prefix: String) -> Int { lines.count { $0.hasPrefix(prefix) } }
}

private struct ScriptedTransport: Transport {
    let log: Log
    let script: Stage.Script

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let token = request.value(forHTTPHeaderField: "Authorization").map { " with \($0)" } ?? ""
        log.add("send \(request.url.path) \(cause)\(token)")
        let (status, body) = try script(request, cause).get()
        return TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: status), body: Body(body))
    }
}

/// A clock that never waits and writes down what it was asked to wait for.
private struct InstantTime: TimeSource {
    let log: Log

    var nanosecondsSinceEpoch: Int64 { 0 }

    func sleep(nanoseconds: Int64) async throws(CancellationError) {
        log.add("sleep \(nanoseconds)")
    }
}

private struct Zeros: RandomSource {
    func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64 { 0 }
}

private struct LoggingMonitor: EventMonitor {
    let log: Log

    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error) {
        log.add("retrying \(retryCount)")
    }

    func requestDidFinish(_ request: Request, error: AFError?) {
        log.add("finished \(error?.label ?? "well")")
    }

    func request(_ request: Request, didLose completion: LostCompletion) {
        log.add(
            "lost \(completion.interceptor).\(completion.place.rawValue) of user "
                + "\(request.session.user) request \(request.number)")
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        log.add("again \(completion.interceptor).\(completion.place.rawValue)")
    }
}

/// An address for requests.
let anywhere = URLRequest(url: WebURL(origin: "http://host", path: "/item"))
