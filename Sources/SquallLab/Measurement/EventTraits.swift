import SquallBackend
import SquallHTTP

/// Special traits of an event, so that a listener is told only of events that it heeds.
///
/// Most listeners look for something rare, and telling each of them of every exchange costs.
struct EventTraits: OptionSet {
    let rawValue: UInt16

    /// None; every event that happens has this one.
    static let any = EventTraits(rawValue: 1 << 0)
    /// The answer is a page of a list that the app got.
    static let page = EventTraits(rawValue: 1 << 1)
    /// The attempt was not its request's first.
    static let repeated = EventTraits(rawValue: 1 << 2)
    /// It is a refresh, or was answered that the access token had expired.
    static let token = EventTraits(rawValue: 1 << 3)
    /// It belongs to a session other than the app's, as pictures do.
    static let beside = EventTraits(rawValue: 1 << 4)
    /// The request has waited for a new token.
    static let held = EventTraits(rawValue: 1 << 5)
    /// The request failed in the end.
    static let wasted = EventTraits(rawValue: 1 << 6)
    /// The screen that asked for it is covered or replaced.
    static let hidden = EventTraits(rawValue: 1 << 7)
    /// It has not ended when the run is over; it has no other trait.
    static let unended = EventTraits(rawValue: 1 << 8)
}

extension SentAttempt {
    var traits: EventTraits { waited == nil ? .any : [.any, .held] }
}

extension EndedExchange {
    var traits: EventTraits {
        guard record.outcome != .neverEnded else { return .unended }
        var traits = EventTraits.any
        if isUseful, record.page != nil { traits.insert(.page) }
        if record.cause.attempt > 0 { traits.insert(.repeated) }
        if record.endpoint.role == .refresh || record.meaning == .expired { traits.insert(.token) }
        if record.cause.pool > 0 { traits.insert(.beside) }
        if record.cause.screen != .inFront { traits.insert(.hidden) }
        return traits
    }
}

extension EndedRequest {
    var traits: EventTraits {
        var traits = EventTraits.any
        if waited != nil { traits.insert(.held) }
        if wastedAttempts > 0 { traits.insert(.wasted) }
        return traits
    }
}
