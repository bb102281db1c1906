/// How far a run is.
public struct RunProgress: Hashable, Sendable {
    /// Virtual time passed.
    public let virtualNanoseconds: Int64
    /// Virtual time in all.
    public let totalNanoseconds: Int64
    /// Users between the beginning and the end of a journey.
    public let usersActive: Int64
    /// Attempts sent so far.
    public let requests: Int64
    /// Steps so far in which one expiry was refreshed more than once.
    public let storms: Int64
    /// Jobs and events that have run so far.
    public let events: Int

    /// A state of a run.
    public init(
        virtualNanoseconds: Int64, totalNanoseconds: Int64, usersActive: Int64, requests: Int64,
        storms: Int64, events: Int = 0
    ) {
        self.virtualNanoseconds = virtualNanoseconds
        self.totalNanoseconds = totalNanoseconds
        self.usersActive = usersActive
        self.requests = requests
        self.storms = storms
        self.events = events
    }
}

/// Whether a run goes on.
public enum RunControl: Sendable {
    /// It goes on.
    case `continue`
    /// It is summed up as it stands.
    case stop
}
