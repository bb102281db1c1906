import SquallApps
import SquallClient
import SquallFormat
import SquallReport

/// The objects that still exist of a world that has ended and was released; made before that, asked
/// after.
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
        let (environments, apps) = (world.environments, world.fleet.apps)
        populations = zip(world.recorder.run.populations, environments).map { population, its in
            // Counted first: a run needs the most memory now.
            var people: [Person] = []
            people.reserveCapacity(population.users.count { apps[$0] != nil })
            for user in population.users {
                if let app = apps[user] { people.append(Person(user: user, holder: app.holder)) }
            }
            return Population(name: population.name, environment: its, people: people)
        }
    }

    /// A finding for each population of which objects remain.
    var findings: [Finding] {
        populations.compactMap { population in
            let left = population.people.filter { $0.holder != nil }
            guard !left.isEmpty || population.environment != nil else { return nil }
            let users = left.isEmpty ? "" : " of \(Units.counted(left.count, "user"))"
            return Finding(
                label: "world.leftBehind",
                headline: "objects of the app\(users) outlived the run",
                count: Int64(max(1, left.count)), population: population.name,
                detail: "a task ignores both its cancellation and a closed network, or an"
                    + " object holds itself. It stays in memory with its world, one for each"
                    + " replication",
                example: left.first.map { "user \($0.user)" } ?? "", section: "Findings")
        }
    }
}
