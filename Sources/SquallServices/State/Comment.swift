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
    /// How many comments share a run's bytes, as far as there are enough of them.
    private static let runLengths = [512, 64, 8]

    private var oldestFirst: [Comment] = []
    /// The JSON of neighbours, from the oldest on, so that a new comment moves none of them.
    private var runs: [Run] = []

    /// Neighbours as JSON.
    private struct Run {
        let comments: Range<Int>
        let chunk: BodyChunk
        let year: ContractYear
        /// The version of the users' names and pictures that it shows.
        var usersVersion: Int
    }

    /// The authors, in no particular order.
    var authors: [Int32] { oldestFirst.map { Int32($0.author) } }

    /// The comment of an identifier.
    subscript(_ id: ObjectID) -> Comment? { oldestFirst.last { $0.id == id } }

    /// Adds a comment, newer than all others.
    mutating func add(_ comment: Comment) {
        oldestFirst.append(comment)
    }

    /// Changes what a comment says.
    mutating func edit(_ id: ObjectID, content: String) {
        guard let place = oldestFirst.lastIndex(where: { $0.id == id }) else { return }
        oldestFirst[place].content = content
        forgetRuns(from: place)
    }

    /// Takes a comment out.
    mutating func remove(_ id: ObjectID) {
        guard let place = oldestFirst.lastIndex(where: { $0.id == id }) else { return }
        forgetRuns(from: place)
        oldestFirst.remove(at: place)
    }

    /// Writes them as a member, newest first.
    mutating func write(
        into writer: inout JSONWriter, _ name: StaticString, _ year: ContractYear, _ users: Users
    ) {
        guard !oldestFirst.isEmpty else { return writer.member(name, array: { _ in }) }
        runs = Comments.ranges(oldestFirst.count).enumerated().map { number, range in
            run(range, known: number < runs.count ? runs[number] : nil, year, users)
        }
        writer.member(name, runs: runs.reversed().map(\.chunk))
    }

    /// Which comments share a run: as many as possible, from the oldest on.
    private static func ranges(_ count: Int) -> [Range<Int>] {
        var (ranges, first): ([Range<Int>], Int) = ([], 0)
        while first < count {
            let length = runLengths.first { $0 <= count - first } ?? count - first
            ranges.append(first..<first + length)
            first += length
        }
        return ranges
    }

    /// A run, written anew when one of its authors has another name by now.
    private func run(
        _ range: Range<Int>, known: Run?, _ year: ContractYear, _ users: Users
    ) -> Run {
        let comments = oldestFirst[range]
        if var known, known.comments == range, known.year == year,
            known.usersVersion == users.version
                || !comments.contains(where: {
                    users.hasChanged(Int32($0.author), since: known.usersVersion)
                })
        {
            known.usersVersion = users.version
            return known
        }
        var writer = JSONWriter()
        for comment in comments.reversed() {
            writer.object { comment.write(into: &$0, year.keys, users) }
        }
        return Run(comments: range, chunk: writer.run, year: year, usersVersion: users.version)
    }

    private mutating func forgetRuns(from place: Int) {
        runs.removeAll { $0.comments.upperBound > place }
    }
}
