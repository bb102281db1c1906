import SquallKernel

/// Workers of a server with their line: all of them, or those of some endpoints.
struct WorkerPool {
    /// Its name in results; empty for the pool that serves all endpoints of no other pool.
    let name: String
    var queue: ServerQueue
    var workers: WorkerNumbers
    private let first: Int
    private let stages: [WorkerStage]

    /// No pool has more workers than this: each pool's workers have numbers of their own.
    private static let workersMost: Int32 = 2_000_000

    /// The pools of a plan; the one that serves all endpoints of no other pool is first.
    static func all(of plan: ServerPlan, levels: Int) -> [WorkerPool] {
        let line = WaitingLine(levels: levels, newestFirst: plan.serving.order == .lifo)
        let common = WorkerPool(
            name: "", first: plan.workers, stages: plan.serving.stages,
            queue: ServerQueue(
                workers: plan.workers, queueLimit: plan.queueLimit, line: line), number: 0)
        let others = plan.serving.pools.enumerated().map { index, pool in
            WorkerPool(
                name: pool.name, first: pool.workers, stages: pool.stages,
                queue: ServerQueue(
                    workers: pool.workers, queueLimit: pool.queueLimit, line: line),
                number: Int32(index) + 1)
        }
        return [common] + others
    }

    private init(
        name: String, first: Int, stages: [WorkerStage], queue: ServerQueue, number: Int32
    ) {
        self.name = name
        self.first = first
        self.stages = stages
        self.queue = queue
        workers = WorkerNumbers(from: number * WorkerPool.workersMost)
    }

    /// How many workers the plan has at an instant.
    func planned(at now: Instant) -> Int { stages.workers(at: now, first: first) }
}

/// The pool of each endpoint's calls and their level in its line.
struct PoolDirectory {
    /// How many levels a line has.
    let levels: Int
    private let places: [Place?]
    private let unnamed: Place

    struct Place {
        var pool: Int32 = 0
        var level: Int32 = 0
    }

    init(_ plan: ServingPlan, _ services: ServiceDirectory) {
        let isRanked = plan.order == .priority
        let ranks = isRanked ? Set(plan.priorities.values).union([0]).sorted(by: >) : [0]
        levels = ranks.count
        guard isRanked || !plan.pools.isEmpty else {
            (places, unnamed) = ([], Place())
            return
        }
        var byName: [String: Place] = [:]
        let usual = Int32(ranks.firstIndex(of: 0) ?? 0)
        for (index, pool) in plan.pools.enumerated() {
            for endpoint in pool.endpoints {
                byName[endpoint] = Place(pool: Int32(index) + 1, level: usual)
            }
        }
        for (endpoint, priority) in plan.priorities where isRanked {
            byName[endpoint, default: Place()].level = Int32(ranks.firstIndex(of: priority) ?? 0)
        }
        places = services.byEndpoint(byName)
        unnamed = Place(level: usual)
    }

    /// Where the calls of an endpoint belong.
    func place(of endpoint: Endpoint) -> Place {
        let number = Int(endpoint.number)
        guard number < places.count, let place = places[number] else { return unnamed }
        return place
    }
}
