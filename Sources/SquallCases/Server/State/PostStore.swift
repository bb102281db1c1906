import SquallHTTP
import SquallKernel

/// Every post, and the lists it appears in.
///
/// Posts from before the run are computed from their number until something happens to them. Lists
/// hold post numbers in order of creation, so a cursor is found by binary search and a page costs
/// O(log n + page) at any depth.
struct PostStore {
    /// What selects a list; `nil` means any value.
    struct Selection: Hashable {
        var productID: String?
        var hashTag: String?
        var author: Int32?
    }

    private let content: SeededContent
    private let seeded: SeededLists
    /// The authors whose posts differ from those before the run.
    private var changedAuthors: Set<Int> = []
    /// Posts written in the run, and earlier ones that have changed.
    private var kept: [Int32: Post] = [:]
    private var deleted: Set<Int32> = []
    /// When the posts written in the run were made, deleted ones too: their identifiers stay
    /// cursors.
    private var createdSeconds: [Int64] = []
    private var lists: [Selection: [Int32]]
    private var firstLikes: [Int32: LikedList] = [:]
    private var secondLikes: [Int32: LikedList] = [:]
    private var encodings: EncodingCache
    /// The number of changes of posts and lists so far, by which memories know that a page is still
    /// right.
    private(set) var changes = 0
    /// The number of ``changes`` at the last change of a list.
    private var listsChange = 0
    /// The number of ``changes`` at the last change of a post, by the post's number.
    private var postChanges: [Int32] = []
    /// The most posts that there may ever be: as many as their identifiers can count.
    var countMax = ObjectID.numberMax

    init(content: SeededContent, cachesEncodings: Bool, _ isStopped: () -> Bool) {
        self.content = content
        encodings = EncodingCache(isOn: cachesEncodings)
        seeded = SeededLists.of(content, isStopped)
        lists = seeded.all
    }

    /// How many posts there ever were.
    var count: Int { content.count + createdSeconds.count }

    var hasRoom: Bool { count < countMax }

    /// True if an identifier names a post that was not deleted.
    func contains(_ id: ObjectID) -> Bool {
        wasIssued(id) && (deleted.isEmpty || !deleted.contains(Int32(id.number)))
    }

    /// The post of an identifier; `nil` when there is none.
    subscript(id: ObjectID) -> Post? { contains(id) ? post(Int32(id.number)) : nil }

    /// The author of a post that is there.
    func author(of id: ObjectID) -> Int { post(Int32(id.number)).author }

    /// A comment on a post that is there.
    func comment(_ comment: ObjectID, on id: ObjectID) -> Comment? {
        kept[Int32(id.number)]?.comments[comment]
    }

    /// A post as JSON, encoded once for each of its versions.
    mutating func encoded(
        _ id: ObjectID, _ year: ContractYear, _ users: Users
    ) -> BodyChunk {
        encoded(Int32(id.number), year, users)
    }

    /// The post of a number as JSON.
    mutating func encoded(
        _ number: Int32, _ year: ContractYear, _ users: Users
    ) -> BodyChunk {
        if let known = encodings.chunk(number, year, users) { return known }
        var writer = JSONWriter()
        // In place, because the kept JSON of a long list is part of the post.
        let shown = written(number) { post in
            writer.object { post.write(into: &$0, year, users) }
            return post.shownUsers
        }
        let chunk = writer.chunk
        encodings.keep(chunk, number, year, showing: shown, users)
        return chunk
    }

    /// Gives the post to a body that writes it, and returns its result.
    private mutating func written(_ number: Int32, _ body: (inout Post) -> [Int32]) -> [Int32] {
        if let place = kept.index(forKey: number) { return body(&kept.values[place]) }
        var post = content.post(Int(number))
        return body(&post)
    }

    private func post(_ number: Int32) -> Post { kept[number] ?? content.post(Int(number)) }

    /// True if no list and none of some posts has changed since an earlier state of ``changes``.
    func areUnchanged(_ numbers: [Int32], since change: Int) -> Bool {
        change == changes
            || listsChange <= change
                && numbers.allSatisfy {
                    $0 >= postChanges.count || postChanges[Int($0)] <= change
                }
    }

    /// The identifier of the post with a number.
    func id(at number: Int) -> ObjectID { id(Int32(number)) }

    private func id(_ number: Int32) -> ObjectID {
        ObjectID(.post, number: Int(number), second: createdSecond(Int(number)))
    }

    private func createdSecond(_ number: Int) -> Int64 {
        number < content.count
            ? content.createdAtMilliseconds(number) / 1_000
            : createdSeconds[number - content.count]
    }

    /// True if there is or was a post of this identifier.
    private func wasIssued(_ id: ObjectID) -> Bool {
        id.kind == .post && id.number < count
            && UInt32(truncatingIfNeeded: createdSecond(id.number)) == id.second
    }

    /// The lists that a post stands in.
    static func selections(
        _ productID: String, _ author: Int, _ hashTags: [String]
    ) -> [Selection] {
        let tags = hashTags.enumerated().filter { !hashTags[..<$0.offset].contains($0.element) }
        return [nil, productID].flatMap { product in
            [Selection(productID: product), Selection(productID: product, author: Int32(author))]
                + tags.map { Selection(productID: product, hashTag: $0.element) }
        }
    }
}

extension PostStore {
    /// Writes a post, newer than all others.
    mutating func create(
        _ draft: Post.Draft, by author: Int, at now: Instant
    ) throws(Refusal) -> ObjectID {
        guard hasRoom else { throw .postNotCreated }
        let created = content.epoch.milliseconds(at: now)
        let id = ObjectID(.post, number: count, second: created / 1_000)
        createdSeconds.append(created / 1_000)
        let post = Post(
            id: id, author: author, createdAtMilliseconds: created, fields: draft)
        kept[Int32(id.number)] = post
        list(post)
        return id
    }

    /// Changes what a draft says about a post that is there.
    mutating func edit(_ id: ObjectID, with draft: Post.Draft) {
        let before = post(Int32(id.number))
        change(id) { $0.apply(draft) }
        let after = post(Int32(id.number))
        guard before.productID != after.productID || before.hashTags != after.hashTags else {
            return
        }
        unlist(before)
        list(after)
    }

    /// Takes a post that is there out of every list, those of likers included.
    mutating func delete(_ id: ObjectID) {
        let number = Int32(id.number)
        let post = post(number)
        unlist(post)
        for user in post.likes.users { firstLikes[user]?.remove(number) }
        for user in post.likes2.users { secondLikes[user]?.remove(number) }
        kept[number] = nil
        deleted.insert(number)
        encodings.drop(number)
    }

    /// Changes a post that is there.
    mutating func change(_ id: ObjectID, _ body: (inout Post) -> Void) {
        let number = Int32(id.number)
        body(&kept[number, default: content.post(id.number)])
        encodings.drop(number)
        changes += 1
        if postChanges.count <= id.number {
            postChanges += repeatElement(0, count: id.number + 1 - postChanges.count)
        }
        postChanges[id.number] = Int32(truncatingIfNeeded: changes)
    }

    /// Sets or removes a user's like, in the post and in the user's list.
    mutating func setLike(
        _ liked: Bool, second: Bool, of id: ObjectID, by user: Int, _ users: Users
    ) {
        let number = Int32(id.number)
        // Unliking an unchanged post changes nothing, and must not make it a kept one.
        guard liked || kept[number] != nil else { return }
        var changed = false
        change(id) { post in
            changed =
                second
                ? post.likes2.set(liked, user: user, users)
                : post.likes.set(liked, user: user, users)
        }
        guard changed else { return }
        if second {
            secondLikes[Int32(user), default: LikedList()].set(liked, number)
        } else {
            firstLikes[Int32(user), default: LikedList()].set(liked, number)
        }
    }

    /// True if a user likes a post in the first way.
    func isLiked(_ id: ObjectID, by user: Int) -> Bool {
        kept[Int32(id.number)]?.likes.contains(user) ?? false
    }

    /// Notes that a user has paid for a post.
    mutating func addBuyer(_ user: Int, of id: ObjectID, _ users: Users) {
        change(id) { _ = $0.buyers.set(true, user: user, users) }
    }

    private mutating func list(_ post: Post) {
        listsChanged(by: post)
        for selection in PostStore.selections(post.productID, post.author, post.hashTags) {
            lists[selection, default: []].insertAscending(Int32(post.id.number))
        }
    }

    private mutating func listsChanged(by post: Post) {
        changedAuthors.insert(post.author)
        changes += 1
        listsChange = changes
    }

    private mutating func unlist(_ post: Post) {
        listsChanged(by: post)
        for selection in PostStore.selections(post.productID, post.author, post.hashTags) {
            lists[selection]?.removeAscending(Int32(post.id.number))
            if lists[selection]?.isEmpty == true { lists[selection] = nil }
        }
    }
}

extension PostStore {
    /// A page of a list, newest first; a deleted post is a valid cursor.
    func page(of selection: Selection, _ window: PageWindow) throws(Refusal) -> Page {
        let list = lists[selection] ?? []
        guard let cursor = window.cursor else { return page(list, below: list.count, window.limit) }
        guard wasIssued(cursor) else { throw .badRequest }
        return page(
            list, below: list.position(notBelow: Int32(cursor.number)), window.limit)
    }

    /// A page of the posts a user likes, latest like first.
    func likedPage(
        second: Bool, by user: Int, _ window: PageWindow
    ) throws(Refusal) -> Page {
        let list = (second ? secondLikes : firstLikes)[Int32(user)] ?? LikedList()
        let posts = list.posts
        guard let cursor = window.cursor else {
            return page(posts, below: posts.count, window.limit)
        }
        guard wasIssued(cursor), let position = list.position(of: Int32(cursor.number)) else {
            throw .badRequest
        }
        return page(posts, below: position, window.limit)
    }

    /// How many posts of a kind have a number in a range.
    func count(ofProduct productID: String, numbered range: ClosedRange<Int>) -> Int {
        let list = lists[Selection(productID: productID)] ?? []
        return list.position(notBelow: Int32(range.upperBound) + 1)
            - list.position(notBelow: Int32(range.lowerBound))
    }

    /// The numbers of a list's posts, ascending.
    func numbers(of selection: Selection) -> [Int32] { lists[selection] ?? [] }

    /// The identifiers of an author's posts, newest first.
    func ids(of author: Int) -> [ObjectID] {
        (lists[Selection(author: Int32(author))] ?? []).reversed().map(id)
    }

    /// The identifiers of an author's posts as elements of a JSON list.
    func encodedIDs(of author: Int) -> BodyChunk {
        changedAuthors.contains(author)
            ? idRun(of: author) : seeded.identifiers(of: author) { idRun(of: author) }
    }

    private func idRun(of author: Int) -> BodyChunk {
        var writer = JSONWriter()
        for id in ids(of: author) { writer.element(id.text) }
        return writer.run
    }

    private func page(_ list: [Int32], below end: Int, _ limit: Int) -> Page {
        let first = max(0, end - limit)
        let numbers = Array(list[first..<end].reversed())
        return Page(posts: numbers, nextCursor: first > 0 ? numbers.last.map(id) : nil)
    }
}
