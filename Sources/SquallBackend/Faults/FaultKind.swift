import SquallFormat
import SquallHTTP
import SquallKernel

/// A kind of fault: its name, its settings, whom it can concern and what it does.
///
/// A new kind is one file in `Kinds` and one line in ``FaultFormat/all``. It has exactly one
/// effect.
protocol FaultKind: Hashable, Sendable {
    /// Its name in profiles, and of its random streams.
    static var name: String { get }
    /// Which of the settings that all faults share have a meaning for it.
    static var reach: FaultReach { get }

    /// Reads the settings that are its own.
    init(_ read: inout SettingsReader)

    /// What it does.
    var effect: FaultEffect { get }
}

/// The places of the backend where a fault can strike.
enum FaultEffect {
    /// Changes requests on their way up and answers on their way down.
    case wire(up: WayUp?, down: WayDown?)
    /// A worker spends its time and does nothing else; gives what is answered, nil for requests
    /// that are left alone.
    case work(@Sendable (Exchange) -> FaultFailure?)
    /// The work on a request takes longer.
    case service(@Sendable (inout Int64, FaultStroke) -> Void)
    /// Each worker's clock is ahead or behind by up to this, evenly.
    case clocks(nanoseconds: Int64)
    /// At most this many workers are there.
    case workers(Int)
    /// Every token of a kind issued so far counts as expired.
    case tokens(TokenMint.Kind)

    typealias WayUp = @Sendable (inout Transmission, FaultStroke) -> Void
    typealias WayDown = @Sendable (inout Transmission, inout Answer, FaultStroke) -> Void
}

/// What a worker answers who does nothing else.
struct FaultFailure {
    let status: Int
    /// What `Retry-After` says; `nil` for what the service says with such a status.
    var retryAfterNanoseconds: Int64?
}

/// A fault that strikes an exchange.
struct FaultStroke {
    let exchange: Exchange
    let fault: ArmedFault

    /// The stream that decides what exactly happens to the exchange's user.
    var details: RandomStream { fault.details(of: exchange.cause.user) }
}

/// Which of the settings that all faults share have a meaning for a kind.
public enum FaultReach: Hashable, Sendable {
    /// It happens at once, to all users.
    case everybodyAtOnce
    /// It happens at once, to some users.
    case usersAtOnce
    /// It lasts, and concerns the server itself.
    case server
    /// It lasts, and strikes some calls of some users.
    case attempts
    /// It lasts, and strikes calls of some users; the kind decides which calls.
    case attemptsOfItsOwn
}
