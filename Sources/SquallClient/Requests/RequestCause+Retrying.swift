public import SquallHTTP

extension RequestCause {
    /// The request whose retrier or adapter is running in this task, or whose refusal made the
    /// client send what it sends now.
    @TaskLocal public static var retrying: UInt32?
}
