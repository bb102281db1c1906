import SquallClient
import SquallHTTP
import SquallKernel
import SquallReport

/// What the client's requests do.
struct ClientTap: EventMonitor {
    let recorder: Recorder

    func request(_ request: Request, willSend urlRequest: URLRequest, cause: RequestCause) {
        recorder.attemptSent(cause)
    }

    func request(
        _ request: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause: RequestCause
    ) {
        recorder.totals.attemptsEnded += 1
    }

    func requestDidFinish(_ request: Request, error: AFError?) {
        recorder.requestEnded(request, failed: error != nil)
        recorder.witness?(request)
    }

    func request(_ request: Request, didLose completion: LostCompletion) {
        recorder.requestEnded(request, failed: true)
        recorder.completionLost(
            completion, of: request.request?.url.path ?? "", user: Int(request.session.user))
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        recorder.totals.completionsRepeated += 1
    }

    func request(_ request: Request, didAskBudget isGranted: Bool) {
        recorder.requests.budgetAsked(isGranted: isGranted)
    }
}

extension Recorder {
    fileprivate func attemptSent(_ cause: RequestCause) {
        totals.attemptsSent += 1
        wire.begin(at: now)
        switch cause.kind {
        case .first:
            totals.firstAttempts += 1
            count(.sentFirst)
        case .retry:
            totals.retries += 1
            count(.sentRetry)
        case .refresh:
            totals.refreshes += 1
            count(.sentRefresh)
        }
        if cause.attempt > 0 { count(.retries) }
        count(.requests)
        waited(requests.attemptSent(cause, at: now), user: Int(cause.user))
        simulation.record(
            .attemptSent, user: cause.user, request: UInt64(cause.request),
            outcome: UInt64(cause.attempt))
    }

    fileprivate func requestEnded(_ request: Request, failed: Bool) {
        let user = request.session.user
        let wastedBefore = requests.failedAttempts
        let wait = requests.requestEnded(
            user: user, request: request.number, failed: failed, at: now)
        let wasted = requests.failedAttempts - wastedBefore
        if wasted > 0 {
            note(of: Int(user)) { ledger, _, _ in ledger.requestFailed(attempts: wasted) }
        }
        waited(wait, user: Int(user))
    }

    /// A request no longer waits for a new token; `nil`: it never did.
    private func waited(_ span: Int64?, user: Int) {
        guard let span else { return }
        metrics.record(span, in: refreshWaits[app(of: user)])
        count(.held, requests.held)
    }

    fileprivate func completionLost(_ completion: LostCompletion, of path: String, user: Int) {
        openSteps[user]?.lost = (path, "\(completion.interceptor).\(completion.place.rawValue)")
    }
}

extension RequestCause {
    /// Why this attempt was sent; a refresh that is sent again is still a refresh.
    var kind: ExchangeKind.Cause {
        if refreshFor != nil { return .refresh }
        return attempt > 0 ? .retry : .first
    }
}

extension EventKind {
    fileprivate static let attemptSent = EventKind("attempt sent")
}
