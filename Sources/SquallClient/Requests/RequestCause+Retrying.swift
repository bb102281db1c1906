public import SquallHTTP

extension RequestCause {
    /// The request whose retrier or adapter runs in this task, or whose refusal caused what the
    /// client sends now.
    @TaskLocal public static var retrying: UInt32?
}
