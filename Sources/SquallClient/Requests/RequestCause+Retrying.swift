import SquallHTTP

extension RequestCause {
    /// The request whose retrier or adapter is running in this task, if one is.
    @TaskLocal static var retrying: UInt32?
}
