public import HTTP
internal import Synchronization

/// What all sessions of one program share: its network, its time, its randomness, its observers.
///
/// A million sessions hold one reference to it.
public final class SessionEnvironment: Sendable {
    /// The network.
    public let transport: any Transport
    /// The clock.
    public let time: any TimeSource
    /// Where random choices come from.
    public let random: any RandomSource
    /// What decodes answers.
    public let decoder: any DataDecoder
    /// Who is told of every request, in order.
    public let eventMonitors: [any EventMonitor]
    /// The requests that wait for a completion which can never be called any more.
    let parked = Mutex<[UInt64: ParkedRequest]>([:])

    /// An environment from its parts.
    public init(
        transport: any Transport, time: any TimeSource, random: any RandomSource,
        decoder: any DataDecoder = FoundationJSONDecoder(),
        eventMonitors: [any EventMonitor] = []
    ) {
        self.transport = transport
        self.time = time
        self.random = random
        self.decoder = decoder
        self.eventMonitors = eventMonitors
    }
}
