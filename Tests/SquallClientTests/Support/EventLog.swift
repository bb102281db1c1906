import SquallClient
import SquallHTTP
import Synchronization

/// Writes down every event as a word or two.
final class EventLog: EventMonitor {
    private let entries = Mutex<[String]>([])

    /// The events in order.
    var lines: [String] { entries.withLock { $0 } }
    /// The events of some kinds, in order.
    func lines(_ prefixes: String...) -> [String] {
        lines.filter { line in prefixes.contains { line.hasPrefix($0) } }
    }

    private func note(_ line: String) { entries.withLock { $0.append(line) } }

    func requestDidResume(_: Request) { note("resume") }
    func request(_: Request, didCreateInitialURLRequest _: URLRequest) { note("initial") }
    func request(_: Request, didFailToCreateURLRequestWithError error: AFError) {
        note("createFailed \(error.label)")
    }
    func request(_: Request, didAdaptInitialRequest _: URLRequest, to _: URLRequest) {
        note("adapted")
    }
    func request(_: Request, didFailToAdaptURLRequest _: URLRequest, withError error: AFError) {
        note("adaptFailed \(error.label)")
    }
    func request(_: Request, didCreateURLRequest _: URLRequest) { note("created") }
    func request(_: Request, didCreateUploadable _: Body) { note("uploadable") }
    func request(_: Request, didFailToCreateUploadableWithError error: AFError) {
        note("uploadableFailed \(error.label)")
    }
    func request(_: Request, willSend _: URLRequest, cause: RequestCause) {
        note("send \(cause.attempt)")
    }
    func request(
        _: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause _: RequestCause
    ) {
        switch result {
        case .success(let answer): note("receive \(answer.head.statusCode)")
        case .failure(let error): note("receive \(error.label)")
        }
    }
    func request(_: Request, didRedirectTo urlRequest: URLRequest, after _: HTTPURLResponse) {
        note("redirect \(urlRequest.url)")
    }
    func request(
        _: Request, didValidateResponse _: HTTPURLResponse, withResult result: Result<Void, AFError>
    ) {
        if case .failure(let error) = result {
            note("validate \(error.label)")
        } else {
            note("validate")
        }
    }
    func request(_: Request, didCompleteAttemptWithError error: AFError?) {
        note("complete" + (error.map { " " + $0.label } ?? ""))
    }
    func request(_: Request, isRetrying retryCount: Int, after _: any Error) {
        note("retry \(retryCount)")
    }
    func requestDidFinish(_: Request) { note("finish") }
    func request(_: Request, didParseResponseWithError error: AFError?) {
        note("parse" + (error.map { " " + $0.label } ?? ""))
    }
    func requestDidFinish(_: Request, error: AFError?) {
        note("end" + (error.map { " " + $0.label } ?? ""))
    }
    func requestDidCancel(_: Request) { note("cancel") }
    func request(_ request: Request, didLose completion: LostCompletion) {
        note("lost \(completion.place) \(completion.interceptor) of \(request.number)")
    }
    func request(_: Request, didAskBudget isGranted: Bool) {
        note("budget \(isGranted ? "granted" : "empty")")
    }
    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        note("again \(completion.place) \(completion.interceptor) of \(request.number)")
    }
}
