import CVirtualClock

/// Something that a suspended task waits for.
public protocol Suspension: AnyObject, Sendable {
    /// The task was cancelled, before it was suspended or while it is.
    func taskWasCancelled()
}

/// Suspends the calling task until it is resumed, and tells of its cancellation meanwhile.
///
/// What `withTaskCancellationHandler` around `withUnsafeContinuation` does, without the closures,
/// pieces of the task's stack and looks for an executor that those take: a seventieth of a request.
@inlinable
@inline(__always)
public nonisolated(nonsending) func suspended<Value: Sendable>(
    in suspension: some Suspension,
    _ start: (UnsafeContinuation<Value, Never>, _ stackEnd: UnsafeMutableRawPointer?) -> Void
) async -> Value {
    let record = Suspensions.note(suspension)
    defer { Suspensions.end(record) }
    return await withUnsafeContinuation { start($0, record) }
}

/// The suspended tasks that are told of their cancellation.
public enum Suspensions {
    private static let isInstalled: Bool = {
        squall_tell_of_cancellations { context in
            guard let context else { return }
            let object = Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue()
            (object as? any Suspension)?.taskWasCancelled()
        }
        return true
    }()

    /// Has something told when the running task is cancelled, as long as the record stays.
    public static func note(_ suspension: some Suspension) -> UnsafeMutableRawPointer? {
        precondition(isInstalled)
        return squall_add_cancellation_handler(Unmanaged.passUnretained(suspension).toOpaque())
    }

    /// Ends what ``note(_:)`` began, with the record that it returned.
    public static func end(_ record: UnsafeMutableRawPointer?) {
        squall_remove_cancellation_handler(record)
    }
}
