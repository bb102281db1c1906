/// Whose turn it is on the main actor, for whoever runs other things than jobs there.
struct MainActorState {
    var isRunning = false
    var isTaken = false
    var waiting: [ReadyItem] = []
}

extension Simulation {
    /// Whether the code that runs is the main actor's; whoever leaves such code standing to go on
    /// with something else sets it, and sets it again when that code goes on.
    public var isOnMainActor: Bool {
        get { state.pointee.mainActor.isRunning }
        set { state.pointee.mainActor.isRunning = newValue }
    }

    /// Whether somebody who stands still has the main actor: its jobs wait until nobody has.
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
