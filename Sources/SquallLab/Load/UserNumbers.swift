/// The users of each population: users are numbered from 0, one population after the other.
struct UserNumbers {
    /// One behind each population's last user.
    private let ends: [Int]

    /// The numbers of populations of these sizes.
    init(_ sizes: [Int]) {
        var end = 0
        ends = sizes.map { size in
            end += size
            return end
        }
    }

    var count: Int { ends.last ?? 0 }

    /// The numbers of a population's users.
    func users(of population: Int) -> Range<Int> {
        (population == 0 ? 0 : ends[population - 1])..<ends[population]
    }

    /// The position of a user's population.
    ///
    /// - Complexity: O(populations), of which there are a handful.
    func population(of user: Int) -> Int {
        var population = 0
        while user >= ends[population] { population += 1 }
        return population
    }
}
