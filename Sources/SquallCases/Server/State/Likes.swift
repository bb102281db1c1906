import SquallHTTP

/// A set of users in the order in which they joined it, with its JSON kept ready in runs.
///
/// A long list changes by one user at a time and is read again after each change. Whole runs of it
/// stay the same objects meanwhile, so neither writing nor reading it again costs its length. The
/// newest users are in short runs, because only the newest run changes; eight neighbours of a
/// length become one run, so that a list has few of them, as the levels of a log-structured merge
/// tree are few.
struct Likes {
    /// How many users share the newest run's bytes at most.
    private static let shortLength = 8
    /// How many runs become one.
    private static let mergedRuns = 8
    /// Lengths of runs that are merged, the shortest first.
    private static let mergedLengths = [8, 64, 512]
    /// A shorter list is part of the bytes around it.
    private static let listLength = 32

    private(set) var users: [Int32] = []
    private var members: Set<Int32> = []
    private var runs: [Run] = []

    /// Neighbours in the list and their identifiers as JSON.
    private struct Run {
        private(set) var users: [Int32] = []
        private(set) var json: [UInt8] = []
        private var known: BodyChunk?

        /// Its bytes as an object that bodies share, made when first asked for.
        var chunk: BodyChunk {
            mutating get {
                let chunk = known ?? BodyChunk(json, isRun: true)
                known = chunk
                return chunk
            }
        }

        /// Takes over the users of the next run.
        mutating func append(_ next: Run) {
            json.append(UInt8(ascii: ","))
            json += next.json
            users += next.users
            known = nil
        }

        mutating func append(_ user: Int32, _ directory: Users) {
            if !json.isEmpty { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\""))
            json += directory.id(Int(user)).utf8
            json.append(UInt8(ascii: "\""))
            users.append(user)
            known = nil
        }

        mutating func remove(_ user: Int32, _ directory: Users) {
            let rest = users.filter { $0 != user }
            self = Run()
            for user in rest { append(user, directory) }
        }
    }

    func contains(_ user: Int) -> Bool { members.contains(Int32(user)) }

    /// Puts a user in or out; returns false when nothing changed.
    mutating func set(_ isMember: Bool, user: Int, _ directory: Users) -> Bool {
        let number = Int32(user)
        guard isMember != members.contains(number) else { return false }
        if isMember {
            members.insert(number)
            add(number, directory)
        } else {
            members.remove(number)
            remove(number, directory)
        }
        return true
    }

    private mutating func add(_ user: Int32, _ directory: Users) {
        users.append(user)
        if runs.last.map({ $0.users.count >= Likes.shortLength }) ?? true {
            for length in Likes.mergedLengths { mergeRuns(of: length) }
            runs.append(Run())
        }
        runs[runs.count - 1].append(user, directory)
    }

    /// Makes one run of the last ones, once there are enough of about this length.
    private mutating func mergeRuns(of length: Int) {
        let first = runs.count - Likes.mergedRuns
        let lengths = length / Likes.mergedRuns + 1...length
        guard first >= 0, runs[first...].allSatisfy({ lengths.contains($0.users.count) }) else {
            return
        }
        for run in runs[(first + 1)...] { runs[first].append(run) }
        runs.removeSubrange((first + 1)...)
    }

    private mutating func remove(_ user: Int32, _ directory: Users) {
        users.removeAll { $0 == user }
        guard let place = runs.firstIndex(where: { $0.users.contains(user) }) else { return }
        runs[place].remove(user, directory)
        if runs[place].users.isEmpty { runs.remove(at: place) }
    }

    /// Writes the list as a member; a short one as part of the bytes around it.
    mutating func write(into writer: inout JSONWriter, _ name: StaticString) {
        if users.count < Likes.listLength {
            writer.member(name, elements: Array(runs.map(\.json).joined(separator: [44])))
        } else {
            writer.member(name, runs: runs.indices.map { runs[$0].chunk })
        }
    }
}
