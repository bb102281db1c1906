/// Calls that wait for a refresh do not pile up.
struct BoundedWaiters: RaceInvariant {
    let id = "S17"
    let name = "boundedWaiters"
    let claim = "A device has a bounded number of calls in flight."
    let needs: Evidence = [.secondCall]
    let source = "simulation §6.6"

    /// More than any screen of the apps begins: four screens with eight calls at once.
    static let callsMax = 32

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var open: Set<Int> = []
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                guard let request = event.request else { continue }
                switch event.kind {
                case .callBegan: open.insert(request)
                case .callEnded, .callFailed: open.remove(request)
                default: continue
                }
                guard open.count > Self.callsMax else { continue }
                return violation(
                    "\(open.count) calls are open at once", user: user, cause: "open calls",
                    events: [index])
            }
            return nil
        }
    }
}
