public import SquallBackend
public import SquallKernel
public import SquallReport

/// Connects a run's users with a real server while time follows a clock.
///
/// Users, apps, journeys, pauses, arrivals and measurements are those of any run; only where
/// responses come from, and how time passes, is the driver's.
public protocol LoadDriver: RemoteServer {
    /// Where time begins in the calendar.
    var epoch: Epoch { get }

    /// The users that it drives.
    var share: UserShare { get }

    /// The accounts that users sign in to, by their numbers; empty for those of the profile.
    var accounts: [UserAccount] { get }

    /// Called once, before time begins, with the simulation to drive and the backend that takes
    /// responses.
    func begin(_ simulation: Simulation, _ backend: Backend)

    /// Lets time pass to a moment, or until it is asked to stop.
    ///
    /// - Throws: what the simulation throws.
    func pass(until end: Instant, isStopped: () -> Bool) throws -> Simulation.Pause

    /// Sends nothing more from now on.
    func end()

    /// The state of the generator so far.
    var generator: GeneratorView { get }
}

/// The account with which a user signs in.
public struct UserAccount: Hashable, Sendable {
    /// The name or e-mail address.
    public let email: String
    /// The password.
    public let password: String

    /// An account by its parts.
    public init(email: String, password: String) {
        (self.email, self.password) = (email, password)
    }
}
