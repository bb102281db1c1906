public import SquallHTTP

extension ScreenState {
    /// The state of the screen that this task's requests are for.
    @TaskLocal static var asking = ScreenState.inFront

    /// Marks the requests of a body, and all that they cause, as a screen's in this state.
    public func asks<Value>(
        _ body: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        await ScreenState.$asking.withValue(self) { await body() }
    }
}
