import SquallHTTP

/// A comment on a post.
struct Comment {
    let id: ObjectID
    let author: Int
    var content: String
    let createdAtMilliseconds: Int64

    func write(into writer: inout JSONWriter, _ keys: AnswerKeys, _ users: Users) {
        writer.member(keys.commentID, id.text)
        writer.member("content", content)
        writer.member(keys.createdAt, Timestamp.text(milliseconds: createdAtMilliseconds))
        writer.member("creator", object: { users.writeCreator(author, keys, &$0) })
    }
}

/// The comments on a post, with their JSON kept ready in runs, as ``Likes`` keep theirs.
///
/// A post that people comment on is liked far more often, and written and read again each time.
struct Comments {
    /// How many comments share a run's bytes at most.
    private static let runLength = 8

    private var oldestFirst: [Comment] = []
    /// The JSON of neighbours, from the oldest on, so that a new comment moves none of them.
    private var runs: [Run?] = []

    /// Neighbours as JSON.
    private struct Run {
        let chunk: BodyChunk
        let year: ContractYear
        /// The version of the users' names and pictures that it shows.
        let usersVersion: Int
    }

    /// The authors, in no particular order.
    var authors: [Int32] { oldestFirst.map { Int32($0.author) } }

    /// The comment of an identifier.
    subscript(_ id: ObjectID) -> Comment? { oldestFirst.last { $0.id == id } }

    /// Adds a comment, newer than all others.
    mutating func add(_ comment: Comment) {
        forgetRuns(from: oldestFirst.count, count: 1)
        oldestFirst.append(comment)
    }

    /// Changes what a comment says.
    mutating func edit(_ id: ObjectID, content: String) {
        guard let place = oldestFirst.lastIndex(where: { $0.id == id }) else { return }
        oldestFirst[place].content = content
        forgetRuns(from: place, count: 1)
    }

    /// Takes a comment out.
    mutating func remove(_ id: ObjectID) {
        guard let place = oldestFirst.lastIndex(where: { $0.id == id }) else { return }
        forgetRuns(from: place, count: oldestFirst.count - place)
        oldestFirst.remove(at: place)
    }

    /// Writes them as a member, newest first.
    mutating func write(
        into writer: inout JSONWriter, _ name: StaticString, _ year: ContractYear, _ users: Users
    ) {
        let count = (oldestFirst.count + Comments.runLength - 1) / Comments.runLength
        guard count > 0 else { return writer.member(name, array: { _ in }) }
        if runs.count != count {
            runs = Array(runs.prefix(count))
            while runs.count < count { runs.append(nil) }
        }
        var chunks: [BodyChunk] = []
        chunks.reserveCapacity(count)
        for number in (0..<count).reversed() { chunks.append(chunk(number, year, users)) }
        writer.member(name, runs: chunks)
    }

    /// A run's JSON, written anew when one of its authors has another name by now.
    private mutating func chunk(
        _ number: Int, _ year: ContractYear, _ users: Users
    ) -> BodyChunk {
        let first = number * Comments.runLength
        let run = oldestFirst[first..<min(first + Comments.runLength, oldestFirst.count)]
        if let known = runs[number], known.year == year,
            known.usersVersion == users.version
                || !run.contains(where: {
                    users.hasChanged(Int32($0.author), since: known.usersVersion)
                })
        {
            return known.chunk
        }
        var writer = JSONWriter()
        for comment in run.reversed() {
            writer.object { comment.write(into: &$0, year.keys, users) }
        }
        let chunk = writer.run
        runs[number] = Run(chunk: chunk, year: year, usersVersion: users.version)
        return chunk
    }

    private mutating func forgetRuns(from place: Int, count: Int) {
        let first = place / Comments.runLength
        let last = (place + count - 1) / Comments.runLength
        for number in first...last where number < runs.count { runs[number] = nil }
    }
}
