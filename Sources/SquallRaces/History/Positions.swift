/// Things in the order in which they were met, and the position of each.
///
/// A few are searched one after another: in thousands of schedules a second hashes cost more.
struct Positions<Thing: Hashable & Sendable>: Sendable {
    /// The things, by their positions.
    private(set) var all: [Thing] = []
    /// The positions, once there are many.
    private var known: [Thing: Int] = [:]

    private static var fewMax: Int { 16 }

    var count: Int { all.count }

    /// The position of a thing; `nil` where it was not met.
    subscript(thing: Thing) -> Int? {
        all.count > Self.fewMax ? known[thing] : all.lastIndex(of: thing)
    }

    /// Adds a thing that was not met, and returns its position.
    mutating func add(_ thing: Thing) -> Int {
        all.append(thing)
        if all.count == Self.fewMax + 1 {
            known = Dictionary(uniqueKeysWithValues: zip(all, all.indices))
        } else if all.count > Self.fewMax {
            known[thing] = all.count - 1
        }
        return all.count - 1
    }
}
