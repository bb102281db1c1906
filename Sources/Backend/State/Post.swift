internal import HTTP

/// A post and everything that belongs to it.
final class Post {
    /// What its author wrote; absent values are left out of answers.
    struct Fields {
        var title: String?
        var price: Int?
        var content: String?
        var extra: [String?] = []
        var files: [String] = []
    }

    let id: ObjectID
    let productID: String
    let author: Int
    let createdAt: String
    let hashTags: [String]
    let fields: Fields
    private(set) var comments: [Comment] = []
    private(set) var likes = Likes()
    private(set) var likes2 = Likes()
    private(set) var buyers = Likes()
    private var encoding: BodyChunk?

    init(
        id: ObjectID, productID: String, author: Int, createdAt: String, hashTags: [String],
        fields: Fields
    ) {
        self.id = id
        self.productID = productID
        self.author = author
        self.createdAt = createdAt
        self.hashTags = hashTags
        self.fields = fields
    }

    /// Sets whether a user likes the post in the first or second way; setting it twice changes
    /// nothing.
    func setLike(_ liked: Bool, second: Bool, by user: Int, _ users: Users) {
        let changed =
            second
            ? likes2.set(liked, user: user, users) : likes.set(liked, user: user, users)
        if changed { encoding = nil }
    }

    /// Notes that a user has paid for the post.
    func addBuyer(_ user: Int, _ users: Users) {
        if buyers.set(true, user: user, users) { encoding = nil }
    }

    /// Adds a comment in front of all others.
    func add(_ comment: Comment) {
        comments.insert(comment, at: 0)
        encoding = nil
    }

    /// Removes a comment at a position.
    func removeComment(at index: Int) {
        comments.remove(at: index)
        encoding = nil
    }

    /// The post as JSON, encoded once for each of its versions.
    func encoded(_ users: Users, caching: Bool) -> BodyChunk {
        if caching, let encoding { return encoding }
        var writer = JSONWriter()
        writer.object { write(into: &$0, users) }
        let chunk = BodyChunk(writer.bytes)
        encoding = chunk
        return chunk
    }

    private func write(into writer: inout JSONWriter, _ users: Users) {
        writer.member("post_id", id.text)
        writer.member("product_id", productID)
        writer.member("title", fields.title)
        writer.member("content", fields.content)
        let names: [StaticString] = ["content1", "content2", "content3", "content4", "content5"]
        for (name, value) in zip(names, fields.extra) { writer.member(name, value) }
        writer.member("price", fields.price)
        writer.member("createdAt", createdAt)
        writer.member("creator", object: { users.writeCreator(author, &$0) })
        writer.member("files", fields.files)
        writer.member("likes", json: likes.json)
        writer.member("likes2", json: likes2.json)
        writer.member("hashTags", hashTags)
        writer.member("buyers", json: buyers.json)
        writer.member(
            "comments",
            array: { list in
                for comment in comments { list.object { comment.write(into: &$0, users) } }
            })
    }
}

/// A comment on a post.
struct Comment {
    let id: ObjectID
    let author: Int
    let content: String
    let createdAt: String

    func write(into writer: inout JSONWriter, _ users: Users) {
        writer.member("comment_id", id.text)
        writer.member("content", content)
        writer.member("createdAt", createdAt)
        writer.member("creator", object: { users.writeCreator(author, &$0) })
    }
}

/// A set of users in the order in which they joined it, with its JSON kept ready.
///
/// Adding is the common case and appends to the text; removing writes it anew.
struct Likes {
    private(set) var users: [Int32] = []
    private var members: Set<Int32> = []
    private(set) var json: [UInt8] = Array("[]".utf8)

    /// Puts a user in or out; `false` when nothing changed.
    mutating func set(_ isMember: Bool, user: Int, _ directory: Users) -> Bool {
        let number = Int32(user)
        guard isMember != members.contains(number) else { return false }
        if isMember {
            members.insert(number)
            users.append(number)
            appendJSON(of: user, directory)
        } else {
            members.remove(number)
            users.removeAll { $0 == number }
            json = Array("[]".utf8)
            for user in users { appendJSON(of: Int(user), directory, isFirst: json.count == 2) }
        }
        return true
    }

    private mutating func appendJSON(of user: Int, _ directory: Users, isFirst: Bool? = nil) {
        json.removeLast()
        if !(isFirst ?? (users.count == 1)) { json.append(UInt8(ascii: ",")) }
        json.append(UInt8(ascii: "\""))
        json += directory.id(user).utf8
        json += Array("\"]".utf8)
    }
}
