import SquallClient
import Synchronization

/// The choices of a user's taps: each is a random number of its own.
///
/// Part of its app and no object, because a million phones have one each.
public struct TapChoices: ~Copyable, Sendable {
    private let device: Device
    private let purpose: StaticString
    private let made = Mutex<UInt32>(0)

    /// The choices of a device's user in an app, on the app's own stream.
    public init(_ device: Device, _ purpose: StaticString) {
        self.device = device
        self.purpose = purpose
    }

    /// The next choice, a number below `bound`.
    public func below(_ bound: Int) -> Int {
        let ordinal = made.withLock { made in
            made += 1
            return UInt64(made)
        }
        let bits = device.environment.random.bits(purpose, user: device.user, ordinal: ordinal)
        return Int(bits.multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// One of the positions of a list; `nil` when it is empty.
    public func position(in list: some Collection) -> Int? {
        list.isEmpty ? nil : below(list.count)
    }
}
