public import SquallHTTP
import Synchronization

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
    /// Decodes answers.
    public let decoder: any DataDecoder
    /// The monitors that are told of every request, in order.
    public let eventMonitors: [any EventMonitor]
    /// The version of the library that the sessions behave like.
    public let behaviour: LibraryBehaviour
    /// The program's choices for all its sessions.
    public let configuration: SessionConfiguration
    /// The same as a chain, of which nothing is copied to tell it.
    let taps: MonitorTap?
    let isMonitoredInStages: Bool
    /// The requests that wait for a completion that can never be called any more.
    let parked = Mutex(ParkedRequests())
    /// The waits for a completion that may still be called.
    let heldWaits = Mutex(HeldWaits())

    /// An environment from its parts.
    public init(
        transport: any Transport, time: any TimeSource, random: any RandomSource,
        decoder: any DataDecoder = FoundationJSONDecoder(),
        eventMonitors: [any EventMonitor] = [], behaviour: LibraryBehaviour = .alamofire5_12,
        configuration: SessionConfiguration = SessionConfiguration()
    ) {
        self.transport = transport
        self.time = time
        self.random = random
        self.decoder = decoder
        self.eventMonitors = eventMonitors
        taps = eventMonitors.reversed().reduce(nil) { MonitorTap($1, before: $0) }
        isMonitoredInStages = eventMonitors.contains(where: \.hearsStages)
        self.behaviour = behaviour
        self.configuration = configuration
    }
}

/// A monitor, and those that are told after it.
final class MonitorTap: Sendable {
    private let monitor: any EventMonitor
    private let next: MonitorTap?

    init(_ monitor: any EventMonitor, before next: MonitorTap?) {
        self.monitor = monitor
        self.next = next
    }

    func notify(_ tell: (any EventMonitor) -> Void) {
        tell(monitor)
        next?.notify(tell)
    }
}

/// What a program chooses for all its sessions.
public struct SessionConfiguration: Sendable {
    /// Header fields that every request gets on its way out unless it has them.
    ///
    /// Empty, unlike Alamofire's: nothing reads them, and each costs every request time.
    /// `HTTPHeaders.alamofireDefault(…)` are Alamofire's.
    public var defaultHeaders: HTTPHeaders = []
    /// What happens to answers that are redirections.
    public var redirector = Redirector.follow
    /// How many redirections of one attempt are followed before it fails.
    public var redirectLimit = 16
    /// Whether a request whose completion was dropped ends with an error instead of never.
    ///
    /// On a phone it never ends, so never is the default.
    public var failsLostRequests = false

    /// Makes an interceptor that every session asks after its own; none when nil.
    ///
    /// Each session gets one of its own, because its state, such as a budget, is one phone's.
    public var commonInterceptor: (@Sendable () -> any RequestInterceptor)?

    /// Alamofire's choices, without default header fields.
    public init() {}
}

extension SessionConfiguration {
    /// A session's own interceptor followed by a common one made for it, where there are any.
    func joined(to own: (any RequestInterceptor)?) -> (any RequestInterceptor)? {
        guard let common = commonInterceptor?() else { return own }
        return own.map { Interceptor(interceptors: [$0, common]) } ?? common
    }
}
