import Foundation
import SquallFormat
@testable import SquallAnswers
@testable import SquallLab
import Testing

@testable import SquallProof

@Suite("Replications")
struct ReplicatorTests {
    private let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)

    private func experiment(_ seed: UInt64 = 1) throws -> Experiment {
        try QueueWorld.experiment(
            .open(rate: 5), seed: seed, duration: "20s", threshold: "p(95)<1s")
    }

    @Test("The first replication has the profile's seed, and no two have the same")
    func seeds() {
        let seeds = (0..<1_000).map { ReplicationTask.seed(of: $0, from: 7) }
        #expect(seeds[0] == 7)
        #expect(Set(seeds).count == 1_000)
    }

    @Test("Results stand in the order of the tasks, with any number of threads")
    func order() throws {
        let profile = try experiment().profile
        let found = try [1, 3].map { threads in
            let replicator = queue.replicator(threads: threads)
            return try replicator.replications(
                of: (0..<7).map { try replicator.task(profile, number: $0) })
        }
        #expect(JSONDocument.text(found[0]) == JSONDocument.text(found[1]))
        #expect(found[0].map(\.seed) == (0..<7).map { ReplicationTask.seed(of: $0, from: 1) })
    }

    @Test("Comments, order and defaults that are written out do not change a fingerprint")
    func fingerprint() throws {
        let texts = [
            #"{"schemaVersion":1,"populations":[{"users":5,"journeys":{"read":1}}]}"#,
            "// a comment\n" + #"{"populations":[{"journeys":{"read":1},"users":5,"#
                + #""app":"scrolly"}],"duration":"10m","schemaVersion":1}"#,
            #"{"schemaVersion":1,"populations":[{"users":6,"journeys":{"read":1}}]}"#,
        ]
        let keys = try texts.map { text in
            let profile = try Profile.read(
                Array(text.utf8), file: "x", vocabulary: .installed)
            return ReplicationTask(profile, number: 0, build: "test").key
        }
        #expect(keys[0] == keys[1])
        #expect(keys[0] != keys[2])
    }

    @Test("Replications that were kept are not run again")
    func store() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "squall-store-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let profile = try experiment().profile
        let queue = queue
        func replicator(runs: Bool) -> Replicator {
            Replicator(
                build: "test", threads: 2, store: ReplicationStore(folder),
                mode: runs ? .all : .storedOnly
            ) { profile, _, _ in queue.run(profile) }
        }
        let first = replicator(runs: true)
        let tasks = try (0..<4).map { try first.task(profile, number: $0) }
        let found = try first.replications(of: tasks)
        let stored = try replicator(runs: false).replications(of: tasks)
        #expect(JSONDocument.text(stored) == JSONDocument.text(found))
        #expect(throws: ReplicationsMissing.self) {
            try replicator(runs: false)
                .replications(of: tasks + [first.task(profile, number: 4)])
        }
    }

    @Test("Shards have every replication once", arguments: [1, 2, 7])
    func shards(count: Int) {
        let plan = (0..<20).map { "\($0)" }
        let places = (1...count).flatMap { index in
            ShardPart(command: [], build: "", index: index, count: count, plan: plan).places
        }
        #expect(places.sorted() == Array(0..<20))
    }

    @Test("Parts that do not belong together are refused, and missing ones named")
    func parts() {
        func part(
            _ index: Int, of count: Int, _ command: String = "run", build: String = "b",
            plan: [String] = ["k"]
        ) -> (name: String, part: ShardPart) {
            (
                "p\(index)",
                ShardPart(
                    command: [command], build: build, index: index, count: count, plan: plan)
            )
        }
        #expect(ShardPart.problems(of: [part(1, of: 2), part(2, of: 2)], build: "b").isEmpty)
        #expect(ShardPart.problems(of: [part(1, of: 2), part(2, of: 2)], build: "c").count == 2)
        let other = ShardPart.problems(of: [part(1, of: 2), part(2, of: 2, "sweep")], build: "b")
        #expect(other.count == 1 && other[0].contains("another plan"))
        for stranger in [part(2, of: 3), part(2, of: 2, plan: ["l"])] {
            let problems = ShardPart.problems(of: [part(1, of: 2), stranger], build: "b")
            #expect(problems.count == 1 && problems[0].contains("another plan"))
        }
        let missing = ShardPart.problems(of: [part(2, of: 3)], build: "b")
        #expect(missing.count == 1 && missing[0].contains("missing: 1, 3"))
    }
}
