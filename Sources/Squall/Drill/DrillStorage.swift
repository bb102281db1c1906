public import Foundation
import SquallRaces

/// What a device keeps, by names, when an app is killed, as a keychain does; it can be slow or
/// fail.
public final class DrillStorage: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    private let shelf: Shelf
    /// True as soon as its app was killed: nothing that the app does reaches the device any more.
    private var isGone = false

    /// The kept values, and the faults of the storage.
    private final class Shelf {
        var values: [String: Data] = [:]
        var wasUsed = false
        var failuresLeft = 0
        var pause: Duration = .zero
    }

    /// A read or write that failed, as while a phone is locked.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description = "the device's storage cannot be used now"
    }

    /// An empty one.
    public init() { shelf = Shelf() }

    private init(_ shelf: Shelf) { self.shelf = shelf }

    /// The value of a name; `nil` when there is none.
    ///
    /// - Throws: ``Failure``.
    public func data(for name: String) throws -> Data? {
        try use()
        return shelf.values[name]
    }

    /// Sets the value of a name; `nil` removes it.
    ///
    /// - Throws: ``Failure``.
    public func set(_ data: Data?, for name: String) throws {
        try use()
        guard !isGone else { return }
        shelf.values[name] = data
    }

    /// The value of a name as text; `nil` when there is none, or it cannot be read.
    public subscript(name: String) -> String? {
        get { (try? data(for: name)).flatMap { String(data: $0, encoding: .utf8) } }
        set { try? set(newValue.map { Data($0.utf8) }, for: name) }
    }

    private func use() throws {
        if !isGone { shelf.wasUsed = true }
        if shelf.pause > .zero {
            // As a call of the keychain blocks its caller; virtual time passes meanwhile.
            let (seconds, attoseconds) = shelf.pause.components
            var span = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            nanosleep(&span, nil)
        }
        guard shelf.failuresLeft == 0 else {
            shelf.failuresLeft -= 1
            throw Failure()
        }
    }

    /// False for a drill in which the app neither read nor kept anything: then its storage is not
    /// what was tested.
    public var wasUsed: Bool { shelf.wasUsed }

    /// Makes it fail this many times from now on.
    public func fail(times: Int) { shelf.failuresLeft = times }

    /// Makes each access take this long from now on.
    public func slowDown(to pause: Duration) { shelf.pause = pause }

    /// The device's storage for the next start of the app; this start can change nothing any more.
    func handedOn() -> DrillStorage {
        isGone = true
        return DrillStorage(shelf)
    }
}

extension DrillStorage: DrilledStorage {}
