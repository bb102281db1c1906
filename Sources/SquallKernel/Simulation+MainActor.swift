/// Tracks who has the main actor, for callers that run more than its jobs there.
struct MainActorState {
    var isRunning = false
    var isTaken = false
    var waiting: [ReadyItem] = []
}

extension Simulation {
    /// True while the running code is the main actor's; a caller that blocks such code to run
    /// something else sets this, and sets it again when that code goes on.
    public var isOnMainActor: Bool {
        get { state.pointee.mainActor.isRunning }
        set { state.pointee.mainActor.isRunning = newValue }
    }

    /// True while blocked code holds the main actor; the actor's jobs wait until it is released.
    public var isMainActorTaken: Bool {
        get { state.pointee.mainActor.isTaken }
        set {
            state.pointee.mainActor.isTaken = newValue
            guard !newValue else { return }
            let waiting = state.pointee.mainActor.waiting
            state.pointee.mainActor.waiting = []
            for item in waiting { enqueue(item.payload, kind: item.kind) }
        }
    }

    /// Runs a job of the main actor, or lets it wait.
    func runMain(_ item: ReadyItem) {
        guard !state.pointee.mainActor.isTaken else {
            return state.pointee.mainActor.waiting.append(item)
        }
        state.pointee.mainActor.isRunning = true
        WorldExecutors.runMain(item.payload)
        state.pointee.mainActor.isRunning = false
    }
}
