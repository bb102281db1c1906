/// An object that served several users, although each of them has a phone of their own.
public struct SharedInstance: Hashable, Sendable {
    /// Its kind: the type of an actor, the label of a queue, `URLSession`.
    public let what: String
    /// How many users it served.
    public let users: Int
    /// The number of the first user whom it served.
    public let example: Int
}

/// Finds objects that several users' code shares: actors, queues and sessions that a static keeps.
///
/// Objects of other kinds cannot be seen. Objects that each process has anyway, such as the main
/// actor and the global queues, do not count, as every phone has them.
struct SharedInstances {
    private var actors: [UnsafeRawPointer: Met] = [:]
    private var actorsMax = 1_024
    private var found: [String: Set<Int>] = [:]
    private var examples: [String: Int] = [:]

    /// An actor, and the user whose code came to it first.
    private struct Met {
        weak var actor: AnyObject?
        let user: Int
        /// Its name in results, once it has served another user.
        var name: String?
        var isOfProcess = false
    }

    /// All shared objects, those with the most users first.
    var all: [SharedInstance] {
        found.map { what, users in
            SharedInstance(what: what, users: users.count, example: examples[what] ?? 0)
        }.sorted { ($1.users, $0.what) < ($0.users, $1.what) }
    }

    mutating func note(_ what: String, users first: Int, _ second: Int) {
        if examples[what] == nil { examples[what] = first }
        found[what, default: []].formUnion([first, second])
    }

    /// Notes that a user's code moves to an actor.
    mutating func meets(actor pointer: UnsafeRawPointer, user: Int) {
        if let known = actors[pointer], let actor = known.actor {
            guard known.user != user, !known.isOfProcess else { return }
            if let name = known.name { return note(name, users: known.user, user) }
            let path = String(reflecting: type(of: actor))
            let isOfProcess = SharedInstances.processes.contains { path.hasPrefix($0) }
            // Without the context, which for a private type is an address.
            let name = String(describing: type(of: actor))
            actors[pointer]?.isOfProcess = isOfProcess
            actors[pointer]?.name = name
            if !isOfProcess { note(name, users: known.user, user) }
            return
        }
        if actors.count >= actorsMax {
            actors = actors.filter { $0.value.actor != nil }
            actorsMax = max(1_024, actors.count * 2)
        }
        let actor = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
        actors[pointer] = Met(actor: actor, user: user)
    }

    /// Modules with actors and executors that each phone has one of.
    private static let processes = ["Swift.", "_Concurrency.", "Squall", "Foundation"]

    /// Notes that a user's code puts work on a queue that code has made.
    mutating func meets(queue: VirtualQueue, user: Int) {
        guard let first = queue.firstUser else { return queue.firstUser = user }
        guard first != user, !queue.label.hasPrefix("URLSession") else { return }
        note("the queue \(queue.label)", users: first, user)
    }
}
