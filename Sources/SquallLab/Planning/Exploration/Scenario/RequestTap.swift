import SquallClient
import SquallRaces

/// Observes the client's requests; one for each life of an app.
struct RequestTap: EventMonitor {
    let tap: WireTap
    let life: Int

    func requestDidResume(_ request: Request) { note(.callBegan, request) }

    func requestDidFinish(_ request: Request, error: AFError?) {
        note(error == nil ? .callEnded : .callFailed, request, text: error?.label)
    }

    func requestDidCancel(_ request: Request) { note(.cancelled, request) }

    func request(_ request: Request, didLose completion: LostCompletion) {
        note(.completionLost, request, text: place(of: completion))
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        note(.completionRepeated, request, text: place(of: completion))
    }

    private func place(of completion: LostCompletion) -> String {
        "\(completion.interceptor).\(completion.place.rawValue)"
    }

    private func note(_ kind: RaceEvent.Kind, _ request: Request, text: String? = nil) {
        var event = tap.recorder.event(kind, user: request.session.user)
        event.request = Int(request.number + Phone.requestOffset(ofLife: life))
        event.text = text.map(tap.recorder.name)
        tap.recorder.note(event)
    }
}
