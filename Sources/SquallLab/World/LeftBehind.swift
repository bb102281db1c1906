import SquallApps
import SquallClient
import SquallFormat
import SquallReport

/// What still exists of a world that has ended and was released; made before that, asked after.
///
/// A task that ignores both its cancellation and its closed network never ends, and an object that
/// holds itself is never freed; either keeps its whole world in memory.
struct LeftBehind {
    private struct Population {
        let name: String
        weak var environment: SessionEnvironment?
        let people: [Person]
    }

    private struct Person {
        let user: Int
        weak var holder: AnyObject?
    }

    private let populations: [Population]

    init(of world: World) {
        let (environments, users) = (world.environments, world.fleet.users)
        populations = zip(world.recorder.run.populations, environments).map { population, its in
            Population(
                name: population.name, environment: its,
                people: population.users.compactMap { user in
                    users[user].app.map { Person(user: user, holder: $0.holder) }
                })
        }
    }

    /// A finding for each population that left something.
    var findings: [Finding] {
        populations.compactMap { population in
            let left = population.people.filter { $0.holder != nil }
            guard !left.isEmpty || population.environment != nil else { return nil }
            let what = "something of \(left.isEmpty ? "an app" : "apps") outlived the run"
            return Finding(
                label: "world.leftBehind",
                headline: left.isEmpty
                    ? what : "\(Units.counted(left.count, "user")) of whose \(what)",
                count: Int64(max(1, left.count)), population: population.name,
                detail: "a task heeds neither cancelling nor a network that is closed, or an"
                    + " object holds itself. It stays in memory with its world, one for each"
                    + " replication",
                example: left.first.map { "user \($0.user)" } ?? "", lookAt: "Findings")
        }
    }
}
