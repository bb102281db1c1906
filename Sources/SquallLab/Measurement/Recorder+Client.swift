import SquallBackend
import SquallClient
import SquallHTTP

/// What the client's requests do.
struct ClientTap: EventMonitor {
    let recorder: Recorder
    let hearsStages = false

    func request(_ request: Request, willSend urlRequest: URLRequest, cause: RequestCause) {
        recorder.attemptSent(cause)
    }

    func request(
        _ request: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause: RequestCause
    ) {
        recorder.attempts.tell { $0.attemptEnded() }
    }

    func requestDidFinish(_ request: Request, error: AFError?) {
        recorder.requestEnded(request, failed: error != nil)
        recorder.onRequest?(request)
    }

    func request(_ request: Request, didLose completion: LostCompletion) {
        recorder.requestEnded(request, failed: true)
        recorder.completionLost(completion, of: request)
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        for listener in recorder.completions { listener.completionRepeated() }
    }

    func request(_ request: Request, didAskBudget isGranted: Bool) {
        recorder.causes.requests.budgetAsked(isGranted: isGranted)
    }
}

extension Recorder {
    fileprivate func attemptSent(_ cause: RequestCause) {
        let user = user(Int(cause.user))
        let attempt = SentAttempt(
            user: user, cause: cause,
            waited: causes.requests.attemptSent(cause, at: user.now), held: causes.requests.held)
        attempts.tell(of: attempt.traits) { $0.attemptSent(attempt) }
    }

    fileprivate func requestEnded(_ request: Request, failed: Bool) {
        let user = user(Int(request.session.user))
        let (waited, wasted) = causes.requests.requestEnded(
            user: request.session.user, request: request.number, failed: failed, at: user.now)
        let ended = EndedRequest(
            user: user, number: request.number, wastedAttempts: wasted, waited: waited,
            held: causes.requests.held)
        requestEnds.tell(of: ended.traits) { $0.requestEnded(ended) }
    }

    fileprivate func completionLost(_ completion: LostCompletion, of request: Request) {
        let user = user(Int(request.session.user))
        guard openSteps[user.number] != nil else { return }
        let lost = LostRequest(
            user: user, path: request.request?.url.path ?? "", completion: completion)
        for listener in completions { listener.completionLost(lost) }
    }
}
