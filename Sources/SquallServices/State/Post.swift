import SquallHTTP

/// A post and everything that belongs to it.
struct Post {
    /// What an author says about a post; absent members are left out of answers and stay unchanged
    /// by an edit.
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
    private(set) var fields: Draft { didSet { head = nil } }
    private(set) var hashTags: [String]
    var comments = Comments()
    var likes = Likes()
    var likes2 = Likes()
    var buyers = Likes()
    /// Its JSON up to its lists; this part seldom changes.
    private var head: Head?

    private struct Head {
        let json: [UInt8]
        let year: ContractYear
        /// The version of its author's name and picture that it shows.
        let usersVersion: Int
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
    }

    /// Writes the `Post` of a year; 2023 knows one like, no prices and no buyers.
    mutating func write(
        into writer: inout JSONWriter, _ year: ContractYear, _ users: Users
    ) {
        let is2024 = year == .year2024
        writer.members(headJSON(year, users))
        likes.write(into: &writer, "likes")
        if is2024 { likes2.write(into: &writer, "likes2") }
        writer.member("hashTags", hashTags)
        if is2024 { buyers.write(into: &writer, "buyers") }
        comments.write(into: &writer, "comments", year, users)
    }

    /// The members before its lists, written anew when one of them may have changed.
    private mutating func headJSON(_ year: ContractYear, _ users: Users) -> [UInt8] {
        if let head, head.year == year,
            head.usersVersion == users.version
                || !users.hasChanged(Int32(author), since: head.usersVersion)
        {
            return head.json
        }
        var writer = JSONWriter()
        writeHead(into: &writer, year, users)
        head = Head(json: writer.written, year: year, usersVersion: users.version)
        return writer.written
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
