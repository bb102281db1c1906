/// The progress of a run.
public struct RunProgress: Hashable, Sendable {
    /// The virtual time that has passed.
    public let virtualNanoseconds: Int64
    /// The virtual time of the whole run.
    public let totalNanoseconds: Int64
    /// Users between the beginning and the end of a journey.
    public let usersActive: Int64
    /// Attempts sent so far.
    public let requests: Int64
    /// Steps so far in which one expiry was refreshed more than once.
    public let refreshedTwice: Int64
    /// Jobs and events that have run so far.
    public let events: Int
}

/// The caller's decision about a run when it is told of its progress.
public enum RunControl: Sendable {
    /// It goes on.
    case `continue`
    /// It is summed up as it stands.
    case stop
}
