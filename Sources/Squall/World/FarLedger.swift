import SquallBackend
import SquallHTTP
import SquallKernel

/// Writes down what comes to a mounted service.
final class FarLedger: BackendObserver {
    private(set) var entries: [LogEntry] = []
    private let name: String
    private var underWay: [UInt32: (request: URLRequest, sent: Instant)] = [:]
    private var sent: [UInt32: URLRequest] = [:]

    private let accessToken: (URLRequest) -> String?

    init(name: String, accessToken: @escaping (URLRequest) -> String?) {
        self.name = name
        self.accessToken = accessToken
    }

    let keepsServerLog = true

    func sends(_ request: URLRequest, _ cause: RequestCause, at now: Instant) {
        underWay[cause.request] = (request, now)
        sent[cause.request] = request
    }

    func ended(_ cause: RequestCause) { underWay[cause.request] = nil }

    func requestReplied(_ record: ServerRecord) {
        guard let request = sent[record.cause.request] else { return }
        let query = request.url.query.map { "?" + $0 } ?? ""
        entries.append(
            LogEntry(
                service: name, name: record.endpoint.name, method: request.method.rawValue,
                path: request.url.path + query, user: Int(record.cause.user),
                status: record.status, meaning: record.meaning,
                isRefresh: record.endpoint.role == .refresh,
                accessToken: accessToken(request), tokenGeneration: record.tokenGeneration,
                arrived: record.arrived,
                replied: record.replied,
                order: UInt64(record.replied.nanoseconds) << 16 | UInt64(entries.count & 0xFFFF)))
    }

    var unanswered: [Hang] {
        underWay.sorted { $0.key < $1.key }.map { _, call in
            Hang(
                what: "\(call.request.method) \(call.request.url.path)",
                reason: "its client waits for the answer", since: call.sent)
        }
    }
}
