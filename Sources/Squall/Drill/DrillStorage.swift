public import Foundation
import SquallRaces

/// What a device keeps by names when an app is killed, as a keychain does: it can be slow, and it
/// can fail.
public final class DrillStorage: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    private let shelf: Shelf
    /// Whether the app that has it was killed: nothing it does reaches the device any more.
    private var isGone = false

    /// What is kept, and how well that goes.
    private final class Shelf {
        var values: [String: Data] = [:]
        var wasUsed = false
        var failuresLeft = 0
        var pause: Duration = .zero
    }

    /// Why something could not be read or written, as while a phone is locked.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description = "the device's storage cannot be used now"
    }

    /// An empty one.
    init() { shelf = Shelf() }

    private init(_ shelf: Shelf) { self.shelf = shelf }

    /// What is kept under a name; `nil` when nothing is.
    ///
    /// - Throws: ``Failure``.
    public func data(for name: String) throws -> Data? {
        try use()
        return shelf.values[name]
    }

    /// Keeps something under a name; `nil` takes it away.
    ///
    /// - Throws: ``Failure``.
    public func set(_ data: Data?, for name: String) throws {
        try use()
        guard !isGone else { return }
        shelf.wasUsed = true
        shelf.values[name] = data
    }

    /// A text under a name; `nil` when nothing is kept, or it cannot be read.
    public subscript(name: String) -> String? {
        get { (try? data(for: name)).flatMap { String(data: $0, encoding: .utf8) } }
        set { try? set(newValue.map { Data($0.utf8) }, for: name) }
    }

    private func use() throws {
        if shelf.pause > .zero {
            // As a call of the keychain blocks its caller; the world's time passes meanwhile.
            var span = timespec(tv_sec: 0, tv_nsec: Int(shelf.pause / .nanoseconds(1)))
            nanosleep(&span, nil)
        }
        guard shelf.failuresLeft == 0 else {
            shelf.failuresLeft -= 1
            throw Failure()
        }
    }

    /// Whether an app has kept anything in it.
    public var wasUsed: Bool { shelf.wasUsed }

    /// Fails so many times from now on.
    public func fail(times: Int) { shelf.failuresLeft = times }

    /// Takes so long each time from now on.
    public func slowDown(to pause: Duration) { shelf.pause = pause }

    /// The same storage for the next start of the app; this one's changes nothing any more.
    func handedOn() -> DrillStorage {
        isGone = true
        return DrillStorage(shelf)
    }
}

extension DrillStorage: DrilledStorage {}
