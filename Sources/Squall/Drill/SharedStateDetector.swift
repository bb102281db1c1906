import CVirtualDispatch
import Synchronization

/// Finds objects, such as statics, that code of two worlds uses although each has its own device.
///
/// Objects met in the first world are kept alive, so that no object of the second has an address of
/// theirs. Objects other than actors, queues and sessions cannot be seen.
final class SharedStateDetector: Sendable {
    private let state = Mutex(State())

    private struct State {
        var worlds = 0
        var seen: [UInt: Met] = [:]
        var names: Set<String> = []
    }

    private struct Met: @unchecked Sendable {
        // Safe because the object is only kept, not used.
        let world: Int
        let kept: AnyObject?
    }

    /// Modules with actors that each phone has one of, or that belong to the world itself.
    private static let processes = ["Swift.", "_Concurrency.", "Foundation", "Squall.", "SquallK"]

    /// Watches a world's code; only that of the first two.
    func watch(_ world: TestWorld) {
        world.detector = state.withLock { state in
            guard state.worlds < 2 else { return nil }
            defer { state.worlds += 1 }
            return (self, state.worlds)
        }
    }

    /// The objects that both have used, by name.
    var leakedAcrossRuns: [String] { state.withLock { $0.names.sorted() } }

    func meets(actor: UnsafeRawPointer, in world: Int) {
        note(UInt(bitPattern: actor), world) {
            let object = Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue()
            let path = String(reflecting: type(of: object))
            let isOfProcess = SharedStateDetector.processes.contains { path.hasPrefix($0) }
            return (isOfProcess ? nil : "the actor \(type(of: object))", object)
        }
    }

    func meets(queue: VirtualQueue, in world: Int) {
        guard !queue.isMain, !queue.isGlobal else { return }
        let pointer = queue.pointer
        note(UInt(bitPattern: pointer), world) {
            // A queue is no object of Swift's on this system: libdispatch counts its references.
            if world == 0 { squall_object_retain(pointer) }
            let isSessions = queue.label.hasPrefix("URLSession")
            let name = queue.label.isEmpty ? "without a label" : queue.label
            return (isSessions ? "a URLSession" : "the queue \(name)", nil)
        }
    }

    private func note(
        _ key: UInt, _ world: Int, _ describe: () -> (name: String?, object: AnyObject?)
    ) {
        let isKnown = state.withLock { $0.seen[key].map { $0.world == world } }
        guard isKnown != true else { return }
        let (name, object) = describe()
        let met = Met(world: world, kept: object)
        state.withLock { state in
            if state.seen[key] == nil {
                state.seen[key] = met
            } else if let name {
                state.names.insert(name)
            }
        }
    }
}
