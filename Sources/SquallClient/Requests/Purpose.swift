public import SquallHTTP

/// What the requests of a task are for, and those of the tasks that it starts.
///
/// One value, because each request asks for it, and each task-local value takes a fraction of a
/// percent of a request.
struct Purpose: Equatable, Sendable {
    /// What the user sees of the screen that they are for.
    var screen = ScreenState.inFront
    /// The request whose retrier or adapter runs in this task, or whose refusal caused what the
    /// client sends now.
    var retrying: UInt32?

    @TaskLocal static var current = Purpose()
}

extension ScreenState {
    /// Marks the requests of a body, and all that they cause, as a screen's in this state.
    public func asks<Value>(
        _ body: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        var purpose = Purpose.current
        purpose.screen = self
        return await Purpose.$current.withValue(purpose) { await body() }
    }
}

extension RequestCause {
    /// The request whose retrier or adapter runs in this task, or whose refusal caused what the
    /// client sends now.
    public static var retrying: UInt32? { Purpose.current.retrying }

    /// Marks the requests of a body as caused by a request.
    public static func retrying<Value>(_ request: UInt32?, _ body: () -> Value) -> Value {
        Purpose.$current.withValue(purpose(retrying: request)) { body() }
    }

    /// Marks the requests of a body as caused by a request.
    public nonisolated(nonsending) static func retrying<Value>(
        _ request: UInt32?, _ body: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        await Purpose.$current.withValue(purpose(retrying: request)) { await body() }
    }

    private static func purpose(retrying request: UInt32?) -> Purpose {
        var purpose = Purpose.current
        purpose.retrying = request
        return purpose
    }
}
