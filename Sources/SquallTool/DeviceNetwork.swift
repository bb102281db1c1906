public import Foundation
public import SquallApps
import SquallClient

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The network of a simulated phone under load, in the place of a `URLSession`.
///
/// Under load there are a million phones, and no memory for a million sessions of Foundation. A
/// client that takes its networking as a value, such as a closure or a protocol that `URLSession`
/// conforms to, can take this one:
///
/// ```swift
/// let network = DeviceNetwork(device)
/// let api = MyAPI(base: far, send: { try await network.data(for: $0) })
/// ```
///
/// Its requests count as requests of the user's present step.
public struct DeviceNetwork: Sendable {
    private let wire: WireClient

    /// The network of a device.
    public init(_ device: Device) {
        let session = Session(environment: device.environment, user: device.user)
        wire = WireClient(session, isRefresh: device.services.isRefresh)
    }

    init(_ wire: WireClient) { self.wire = wire }

    /// Says which user action the requests made from now on belong to.
    public func beginStep(_ ordinal: UInt32) {
        wire.endStep()
        wire.beginStep(ordinal)
    }

    /// Ends the user action: calls that have failed will not be sent again.
    public func endStep() { wire.endStep() }

    /// Sends a request and waits for its answer, whatever its status.
    ///
    /// - Throws: `URLError` when no answer comes.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        let (bytes, response) = try await wire.exchange(request)
        return (Data(bytes), response)
    }
}
