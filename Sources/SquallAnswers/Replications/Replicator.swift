import SquallFormat
import SquallKernel
public import SquallLab
import Synchronization

/// Runs the replications of plans on several threads and remembers those that are finished.
///
/// **Start here** to read this module. `Statistics/` has the formulas; each command's folder asks
/// a replicator for replications and computes one answer from them.
public final class Replicator {
    /// Runs a profile.
    ///
    /// Its last argument is called repeatedly, and stops the run by its result.
    public typealias Run =
        @Sendable (
            _ profile: Profile, _ stopsWhenLost: Bool, _ goesOn: @escaping @Sendable () -> Bool
        ) throws -> RunResult

    /// The build of the program, which keys contain.
    let build: String
    private let run: Run
    private let store: ReplicationStore?
    private let sources: [ReplicationStore]
    private let threads: WorkerThreads
    private let mode: Mode
    private let isStopped: @Sendable () -> Bool
    private let progress: (ReplicationProgress) -> Void
    /// Called beside the progress, on the same thread, several times a second while runs go on.
    public var meanwhile: () -> Void = {}
    private let warn: (ReplicationStoreError) -> Void
    private var known: [String: Replication] = [:]
    private var last: ReplicationTask?
    /// The keys of all tasks asked for so far, in order.
    public private(set) var plan: [String] = []

    /// The tasks of a plan that are run if they are not known yet.
    public enum Mode: Equatable, Sendable {
        /// All of them are run.
        case all
        /// Every n-th task is run, starting with task `index`, from 1.
        case shard(index: Int, of: Int)
        /// None is run.
        case storedOnly
    }

    /// A replicator.
    ///
    ///   - build: the program's build, since another may have other results.
    ///   - threads: the number of worlds that run at once; no result depends on it.
    ///   - store: where finished replications are kept, and looked up first.
    ///   - sources: further stores to look in.
    ///   - mode: the tasks that are run if they are not known yet.
    ///   - isStopped: called repeatedly; once it returns true, unfinished replications are lost.
    ///   - warn: called on the calling thread about files that only save time and failed.
    ///   - progress: called on the calling thread with the progress.
    ///   - run: runs a profile.
    public init(
        build: String, threads: Int, store: ReplicationStore?,
        sources: [ReplicationStore] = [], mode: Mode = .all,
        isStopped: @escaping @Sendable () -> Bool = { false },
        warn: @escaping (ReplicationStoreError) -> Void = { _ in },
        progress: @escaping (ReplicationProgress) -> Void = { _ in }, run: @escaping Run
    ) {
        self.build = build
        self.threads = WorkerThreads(count: max(1, threads))
        self.store = store
        self.sources = sources
        self.mode = mode
        self.isStopped = isStopped
        self.progress = progress
        self.warn = warn
        self.run = run
    }

    /// The task of a profile's replication.
    ///
    /// - Throws: `StopRequested`, since naming a hundred thousand tasks takes a minute.
    func task(
        _ profile: Profile, number: Int, stopsWhenLost: Bool = false
    ) throws -> ReplicationTask {
        guard !isStopped() else { throw StopRequested() }
        let task = ReplicationTask(
            profile, number: number, stopsWhenLost: stopsWhenLost, build: build, after: last)
        last = task
        return task
    }

    /// The tasks of the first replications of a profile, which may differ from one to the next.
    ///
    /// - Throws: `StopRequested`, and what making a profile throws.
    func tasks(
        _ count: Int, of profile: (_ number: Int) throws -> Profile
    ) throws -> [ReplicationTask] {
        try (0..<count).map { try task(profile($0), number: $0) }
    }

    /// The first replications of a profile, which may differ from one to the next.
    ///
    /// - Throws: as for tasks, and what making a profile throws.
    public func replications(
        _ count: Int, of profile: (_ number: Int) throws -> Profile, believing estimate: String = ""
    ) throws -> [Replication] {
        try replications(of: try tasks(count, of: profile), believing: estimate)
    }

    /// The replications of the tasks, in their order.
    ///
    /// - Throws: ``ReplicationsMissing`` when it was stopped, or when the mode runs only some tasks
    ///   or none; ``ReplicationStoreError`` where files are needed for more than to save time;
    ///   otherwise what a run throws.
    func replications(
        of tasks: [ReplicationTask], believing estimate: String = "", trying place: String = ""
    ) throws -> [Replication] {
        plan += tasks.map(\.key)
        try recall(tasks)
        let missing = tasks.indices.filter { known(tasks[$0]) == nil }
        let chosen = missing.filter { isOurs($0) }
        let state = ReplicationProgress(planned: tasks.count, estimate: estimate, trying: place)
        if !chosen.isEmpty { try perform(chosen.map { tasks[$0] }, state) }
        let found = tasks.map { known($0) }
        let left = found.indices.filter { found[$0] == nil }
        guard left.isEmpty, !isShard else {
            throw ReplicationsMissing(numbers: left, count: tasks.count, wasStopped: isStopped())
        }
        return found.compactMap { $0 }
    }

    private var isShard: Bool { if case .shard = mode { true } else { false } }

    private func isOurs(_ index: Int) -> Bool {
        switch mode {
        case .all: true
        case .shard(let shard, let count): index % count == shard - 1
        case .storedOnly: false
        }
    }

    private func recall(_ tasks: [ReplicationTask]) throws {
        let stores = (store.map { [$0] } ?? []) + sources
        for task in tasks where known(task) == nil {
            guard !isStopped() else { return }
            var damage: ReplicationStoreError?
            for store in stores where known[task.key] == nil {
                do throws(ReplicationStoreError) {
                    known[task.key] = try store.replication(of: task, build: build)
                } catch {
                    damage = damage ?? error
                }
            }
            guard let damage, known[task.key] == nil else { continue }
            guard mode != .storedOnly else { throw damage }
            warn(damage)
        }
    }

    /// The known replication of a task; one that ended early only where the task allows it.
    private func known(_ task: ReplicationTask) -> Replication? {
        known[task.key].flatMap { $0.isWhole || task.stopsWhenLost ? $0 : nil }
    }

    private func perform(_ tasks: [ReplicationTask], _ state: ReplicationProgress) throws {
        let failure = Mutex<(index: Int, error: any Error)?>(nil)
        let unkept = Mutex<ReplicationStoreError?>(nil)
        let (run, isStopped, store, build) = (run, isStopped, store, build)
        let faults = tasks.compactMap { task in
            Containment.fault(of: task.work).map { (seed: task.profile.seed, reason: $0) }
        }
        let results = threads.map(tasks.count) { [progress, meanwhile] done in
            progress(state.after(done, left: tasks.count - done))
            meanwhile()
        } _: { index -> Replication? in
            let goesOn: @Sendable () -> Bool = {
                !isStopped() && failure.withLock { $0 == nil }
            }
            guard goesOn(), Containment.fault(of: tasks[index].work) == nil else { return nil }
            do {
                let result = try Containment.perform(tasks[index].work) {
                    try run(tasks[index].profile, tasks[index].stopsWhenLost, goesOn)
                }
                let replication = Replication(result)
                guard replication.isWhole || (tasks[index].stopsWhenLost && goesOn()) else {
                    return nil
                }
                do throws(ReplicationStoreError) {
                    try store?.keep(replication, of: tasks[index], build: build)
                } catch {
                    unkept.withLock { $0 = $0 ?? error }
                }
                return replication
            } catch is StopRequested {
                return nil
            } catch {
                failure.withLock { first in
                    if first.map({ index < $0.index }) ?? true { first = (index, error) }
                }
                return nil
            }
        }
        if let error = failure.withLock({ $0 })?.error { throw error }
        if let problem = unkept.withLock({ $0 }) {
            guard !isShard else { throw problem }
            warn(problem)
        }
        for (task, result) in zip(tasks, results) {
            if let result { known[task.key] = result }
        }
        if !faults.isEmpty, !isStopped() {
            throw ReplicationsEnded(faults: faults, count: tasks.count)
        }
    }
}

/// The progress of a step of a plan.
public struct ReplicationProgress: Sendable {
    /// The number of replications of the step that are known.
    public private(set) var done = 0
    /// The number of replications of the step.
    public let planned: Int
    /// The number of replications that were run by this call.
    public private(set) var ran = 0
    /// The current estimate of the answer; may be empty.
    public let estimate: String
    /// The values run in this step; may be empty.
    public let trying: String

    fileprivate func after(_ ran: Int, left: Int) -> ReplicationProgress {
        var progress = self
        progress.ran = ran
        progress.done = planned - left
        return progress
    }
}

/// Some replications of a plan are not known.
public struct ReplicationsMissing: Error, Equatable, Sendable {
    /// The indices of those tasks, from 0.
    public let numbers: [Int]
    /// The number of tasks.
    public let count: Int
    /// True if the user stopped it.
    public let wasStopped: Bool
}

/// Replications were ended by faults of the simulation; all others of the step were run and kept.
struct ReplicationsEnded: Error, CustomStringConvertible, Sendable {
    /// The seed of each, and the fault that ended it.
    let faults: [(seed: UInt64, reason: String)]
    /// The number of replications of the step.
    let count: Int

    /// Their number, and the first one's seed and reason, in words.
    var description: String {
        let all = Units.counted(count, "replication")
        let first = faults.first.map { "; seed \($0.seed): \($0.reason)" } ?? ""
        return "\(faults.count) of \(all) \(faults.count == 1 ? "was" : "were")"
            + " \(Containment.words)\(first). The others are kept, so the same command with"
            + " another number of replications or another seed goes on from them"
    }
}
