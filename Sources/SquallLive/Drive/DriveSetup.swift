import SquallHTTP
public import SquallKernel
public import SquallLab
import SquallSockets

/// Which server is driven, as whom, and how much at most.
public struct DriveSetup {
    /// The server that is driven.
    public let target: DriveTarget
    /// The origin that the profile's app calls, whose requests go to the server.
    public let origin: String
    /// The most that is sent.
    public var limits = DriveLimits()
    /// The accounts that users sign in to; empty for those of the profile.
    public var accounts: [UserAccount] = []
    /// The client with its secret; `nil` where sign-ins and refreshes show none.
    public var client: ClientCredentials?
    /// The users that are driven here, where several generators share them.
    public var share = UserShare.all
    /// What the profile says of the server's responses.
    public var expected = ExpectedResponses()
    /// How long all of a response may take, whatever comes of it.
    public var responseNanoseconds = DriveTarget.responseNanoseconds
    /// Where time begins in the calendar.
    public var epoch: Epoch

    /// A setup within the usual limits.
    public init(_ target: DriveTarget, origin: String, epoch: Epoch) {
        (self.target, self.origin, self.epoch) = (target, origin, epoch)
    }

    /// A driver over connections of this process.
    ///
    /// - Throws: `ResponseProblem` where the target's name has no address, or https cannot be
    ///   spoken; `SocketServer.Problem` where sockets cannot be used.
    public func driver(clock: ServerDriver.Clock) throws -> ServerDriver {
        ServerDriver(self, over: try target.wire(responseNanoseconds), clock: clock)
    }
}

extension DriveTarget {
    /// Connections of this process, on which a response takes at most so long in all.
    func wire(_ responseNanoseconds: Int64 = Self.responseNanoseconds) throws -> any Wire {
        try SocketWire(
            HTTPTarget(address, trusting: certificates), totalNanoseconds: responseNanoseconds)
    }

    /// How long a response may usually take in all.
    public static let responseNanoseconds: Int64 = 60_000_000_000

    /// A request as it travels: to the target's path, and without a wish for compression, which
    /// nothing here could undo.
    func outgoing(_ request: OutgoingRequest) -> OutgoingRequest {
        var outgoing = request
        outgoing.target = address.path + outgoing.target
        outgoing.headers["Accept-Encoding"] = "identity"
        return outgoing
    }
}

/// How much a driven run may ask of its server.
public struct DriveLimits: Hashable, Sendable {
    /// The most requests in a second; others wait, and are late.
    public var requestsPerSecond: Int64 = 1_000
    /// The most users.
    public var users: Int64 = 1_000
    /// The longest load, without the time that steps under way have to end.
    public var nanoseconds: Int64 = 3_600_000_000_000

    /// The usual limits.
    public init() {}
}
