internal import HTTP
internal import Kernel

/// Every post, and the lists it appears in.
///
/// Lists hold post numbers in order of creation, so a cursor is found by binary search and a page
/// costs O(log n + page) at any depth.
struct PostStore {
    /// What selects a list; `nil` means whatever value.
    struct Selection: Hashable {
        var productID: String?
        var hashTag: String?
    }

    private var posts: [Post?] = []
    private var lists: [Selection: [Int32]] = [:]
    /// For each user, the posts liked in the second way, in order of liking.
    private var secondLikes: [[Int32]]
    /// For each user, the posts liked in the first way, in order of liking.
    private var firstLikes: [[Int32]]

    init(userCount: Int) {
        secondLikes = Array(repeating: [], count: userCount)
        firstLikes = secondLikes
    }

    /// The number of the next post.
    var nextNumber: Int { posts.count }

    /// Adds a post, whose number must be `nextNumber`.
    mutating func add(_ post: Post) {
        precondition(post.id.number == posts.count, "post \(post.id.number) is not the next one")
        let number = Int32(posts.count)
        posts.append(post)
        for product in [nil, post.productID] {
            lists[Selection(productID: product), default: []].append(number)
            for tag in Set(post.hashTags).sorted() {
                lists[Selection(productID: product, hashTag: tag), default: []].append(number)
            }
        }
    }

    /// The post of an identifier, unless there is none.
    subscript(id: ObjectID) -> Post? {
        guard id.number < posts.count, let post = posts[id.number], post.id == id else {
            return nil
        }
        return post
    }

    /// Sets whether a user likes a post, in the post and in the user's list.
    mutating func setLike(_ liked: Bool, second: Bool, of post: Post, by user: Int, _ users: Users)
    {
        post.setLike(liked, second: second, by: user, users)
        let number = Int32(post.id.number)
        if second {
            PostStore.set(liked, number, in: &secondLikes[user])
        } else {
            PostStore.set(liked, number, in: &firstLikes[user])
        }
    }

    private static func set(_ isMember: Bool, _ number: Int32, in list: inout [Int32]) {
        let index = list.firstIndex(of: number)
        if isMember, index == nil { list.append(number) }
        if !isMember, let index { list.remove(at: index) }
    }

    /// A page of a list, newest first.
    ///
    /// Returns `nil` when the cursor names no post.
    func page(of selection: Selection, _ window: PageWindow) -> Page? {
        let list = lists[selection] ?? []
        guard let cursor = window.cursor else { return page(list, below: list.count, window.limit) }
        guard self[cursor] != nil else { return nil }
        return page(
            list, below: list.partitioningIndex(notBelow: Int32(cursor.number)), window.limit)
    }

    /// A page of the posts a user likes, latest like first; `nil` when the cursor names none of
    /// them.
    func likedPage(second: Bool, by user: Int, _ window: PageWindow) -> Page? {
        let list = second ? secondLikes[user] : firstLikes[user]
        guard let cursor = window.cursor else { return page(list, below: list.count, window.limit) }
        guard let index = list.firstIndex(of: Int32(cursor.number)) else { return nil }
        return page(list, below: index, window.limit)
    }

    private func page(_ list: [Int32], below end: Int, _ limit: Int) -> Page {
        var page = Page()
        var index = end
        while index > 0, page.posts.count < limit {
            index -= 1
            if let post = posts[Int(list[index])] { page.posts.append(post) }
        }
        if index > 0 { page.nextCursor = page.posts.last?.id }
        return page
    }
}

/// Which part of a list is asked for.
struct PageWindow {
    /// The last post of the page before; `nil` for the first page.
    var cursor: ObjectID?
    /// How many posts at the most.
    var limit: Int
}

/// Some posts of a list and where the next ones begin.
struct Page {
    var posts: [Post] = []
    var nextCursor: ObjectID?

    /// The page as JSON: shared pieces, one for each post.
    func body(_ users: Users, caching: Bool) -> Body {
        var chunks = [Page.opening]
        chunks.reserveCapacity(posts.count * 2 + 1)
        for post in posts {
            if chunks.count > 1 { chunks.append(Page.comma) }
            chunks.append(post.encoded(users, caching: caching))
        }
        chunks.append(nextCursor.map { Page.closing($0.text) } ?? Page.lastClosing)
        return Body(chunks: chunks)
    }

    private static func closing(_ cursor: String) -> BodyChunk {
        BodyChunk("],\"next_cursor\":\"\(cursor)\"}")
    }

    private static let opening = BodyChunk("{\"data\":[")
    private static let comma = BodyChunk(",")
    private static let lastClosing = closing("0")
}

extension [Int32] {
    /// The first position of an ascending list whose element is not below a number.
    fileprivate func partitioningIndex(notBelow number: Int32) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
