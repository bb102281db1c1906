import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel

/// A post and everything that belongs to it.
struct Post {
    /// What an author says about a post; absent members are left out of responses and stay
    /// unchanged by an edit.
    struct Draft: Equatable {
        var productID: String?
        var title: String?
        var price: Int?
        var content: String?
        /// `content1` to `content5`; missing at the end means absent.
        var extra: [String?] = []
        var files: [String]?
    }

    let id: ObjectID
    let author: Int
    let createdAtMilliseconds: Int64
    private(set) var fields: Draft
    private(set) var hashTags: [String]
    var comments = Comments()
    var likes = Likes()
    var likes2 = Likes()
    var buyers = Likes()
    /// Its JSON up to the likes, which all versions share: nothing of it changes when one more user
    /// likes it.
    private var head: Head?

    private struct Head {
        let year: ContractYear
        /// The version of the users' names and pictures that it shows.
        var usersVersion: Int
        let json: BodyChunk
    }

    init(id: ObjectID, author: Int, createdAtMilliseconds: Int64, fields: Draft) {
        self.id = id
        self.author = author
        self.createdAtMilliseconds = createdAtMilliseconds
        self.fields = fields
        hashTags = Hashtags.extract(from: fields.content ?? "")
    }

    /// The kind of post, by which apps tell their posts apart.
    var productID: String { fields.productID ?? "" }

    /// Changes the members that a draft has, and only those.
    mutating func apply(_ draft: Draft) {
        fields.productID = draft.productID ?? fields.productID
        fields.title = draft.title ?? fields.title
        fields.price = draft.price ?? fields.price
        fields.content = draft.content ?? fields.content
        fields.files = draft.files ?? fields.files
        fields.extra = (0..<5).map { draft.extra[orNil: $0] ?? fields.extra[orNil: $0] }
        hashTags = Hashtags.extract(from: fields.content ?? "")
        head = nil
    }

    /// Writes the `Post` of a year; 2023 knows one like, no prices and no buyers.
    mutating func write(
        into writer: inout JSONWriter, _ year: ContractYear, _ users: Users
    ) {
        let is2024 = year == .year2024
        writer.members(head(of: year, users))
        likes.write(into: &writer, "likes")
        if is2024 { likes2.write(into: &writer, "likes2") }
        writer.member("hashTags", hashTags)
        if is2024 { buyers.write(into: &writer, "buyers") }
        comments.write(into: &writer, "comments", year, users)
    }

    private mutating func head(of year: ContractYear, _ users: Users) -> BodyChunk {
        if let known = head, known.year == year,
            known.usersVersion == users.version
                || !users.hasChanged(Int32(author), since: known.usersVersion)
        {
            head?.usersVersion = users.version
            return known.json
        }
        var writer = JSONWriter()
        writeHead(into: &writer, year, users)
        let json = writer.chunk
        head = Head(year: year, usersVersion: users.version, json: json)
        return json
    }

    private func writeHead(into writer: inout JSONWriter, _ year: ContractYear, _ users: Users) {
        let keys = year.keys
        writer.member(keys.postID, id.text)
        writer.member("product_id", productID)
        writer.member("title", fields.title)
        writer.member("content", fields.content)
        for (name, value) in zip(Post.extraNames, fields.extra) { writer.member(name, value) }
        if year == .year2024 { writer.member("price", fields.price) }
        writer.member(keys.createdAt, Timestamp.text(milliseconds: createdAtMilliseconds))
        writer.member("creator", object: { users.writeCreator(author, keys, &$0) })
        writer.member(keys.files, fields.files ?? [])
    }

    /// The users whose names and pictures its JSON shows.
    var shownUsers: [Int32] { [Int32(author)] + comments.authors }

    private static let extraNames: [StaticString] = [
        "content1", "content2", "content3", "content4", "content5",
    ]
}

extension [String?] {
    /// The text at a position; `nil` also beyond the end.
    fileprivate subscript(orNil position: Int) -> String? {
        position < count ? self[position] : nil
    }
}

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

    mutating func edit(_ id: ObjectID, content: String) {
        guard let place = oldestFirst.lastIndex(where: { $0.id == id }) else { return }
        oldestFirst[place].content = content
        forgetRuns(from: place)
    }

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

    /// The positions of comments that share a run: as many as possible, from the oldest on.
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

/// A MongoDB ObjectId: creation second, a worker, and a number, as 24 hexadecimal digits.
///
/// The number is the object's position in its store, so an identifier leads to its object without a
/// table.
struct ObjectID: Hashable {
    /// The kinds of object, told apart by the worker's digits.
    enum Kind: UInt64 {
        case user = 0x07_8fb6_7016
        case post = 0x50_5651_7017
        case comment = 0x50_5651_7018
    }

    /// The greatest number that six digits can spell.
    static let numberMax = 0xFF_FFFF

    let kind: Kind
    let second: UInt32
    let number: Int

    /// The identifier of an object created at a second since 1970.
    init(_ kind: Kind, number: Int, second: Int64) {
        self.kind = kind
        self.second = UInt32(truncatingIfNeeded: second)
        self.number = number
    }

    /// Reads an identifier; `nil` when it is malformed or of another kind.
    ///
    /// The second is kept as it stands in the text, so a made-up one matches no object.
    init?(_ kind: Kind, text: some StringProtocol) {
        let fields = text.readingHex { reader -> (second: UInt64, number: UInt64)? in
            guard let second = reader.number(8), let worker = reader.number(10),
                let number = reader.number(6), worker == kind.rawValue
            else { return nil }
            return (second, number)
        }
        guard text.utf8.count == 24, let fields else { return nil }
        self.init(kind, number: Int(fields.number), second: Int64(fields.second))
    }

    /// True for 24 hexadecimal digits, of whatever kind of object.
    static func isWellFormed(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 24
            && text.readingHex { $0.number(12) == nil ? nil : $0.number(12) } != nil
    }

    /// The 24 digits.
    var text: String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            var writer = HexWriter(buffer: buffer)
            writer.number(UInt64(second), digits: 8)
            writer.number(kind.rawValue, digits: 10)
            writer.number(UInt64(number), digits: 6)
            return writer.count
        }
    }
}

/// Spells moments as the contract does: `2024-09-01T00:00:00.000Z`.
enum Timestamp {
    /// The text of a number of milliseconds since 1970.
    static func text(milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60]
            .map { $0.padded(2) }.joined(separator: ":")
        return "\(date.year)-\(date.month.padded(2))-\(date.day.padded(2))T\(time)"
            + ".\((rest % 1_000).padded(3))Z"
    }
}

extension Epoch {
    /// Whole milliseconds since 1970, the precision of the contract.
    func milliseconds(at instant: Instant) -> Int64 {
        nanosecondsSince1970(at: instant) / 1_000_000
    }

    /// Whole seconds since 1970, the precision of its identifiers.
    func seconds(at instant: Instant) -> Int64 {
        nanosecondsSince1970(at: instant) / 1_000_000_000
    }
}
