import SquallKernel

/// What the posts of an app with many authors have in common: each author writes about twenty.
struct CommunityPosts {
    let count: Int
    let stream: RandomStream
    private let authors: (count: UInt64, stream: RandomStream)

    init(_ count: Int, _ name: StaticString, userCount: Int, _ randomness: RandomStream) {
        self.count = count
        stream = randomness.stream(name)
        authors = (UInt64(max(1, min(userCount, (count + 19) / 20))), stream.stream("authors"))
    }

    func author(_ index: Int) -> Int {
        Int(authors.stream.integer(below: authors.count, at: UInt64(index)))
    }
}

/// 이책저책: books recommended and asked for in turn, up to five books and three pictures each.
struct BookContent: ContentGenerator {
    let posts: CommunityPosts
    var count: Int { posts.count }

    func entry(_ index: Int) -> ContentEntry {
        ContentEntry(
            productID: index % 2 == 0 ? "tbtb_recommend" : "tbtb_recommended",
            author: posts.author(index), hashTags: [BookContent.genres[genre(index)]])
    }

    func draft(_ index: Int, idOf: (Int) -> ObjectID) -> Post.Draft {
        let number = posts.stream.stream(number: UInt64(index))
        let books = 1 + Int(number.integer(below: 5, at: 0))
        let pictures = Int(number.integer(below: 4, at: 1))
        // Of the newest ten of either kind one always has a price.
        let isOffered = [3, 6].contains(count - index)
        let isFree = !isOffered && number.integer(below: 4, at: 2) > 0
        return Post.Draft(
            title: "tbtb_post", price: isFree ? 0 : 100 * (1 + genre(index)),
            content: "함께 읽고 싶은 책입니다. #\(BookContent.genres[genre(index)])",
            extra: (0..<books).map { book($0, of: index) },
            files: (0..<pictures).map { SeededFiles.picturePath(index * 3 + $0, "png") })
    }

    private func genre(_ index: Int) -> Int {
        Int(posts.stream.integer(below: UInt64(BookContent.genres.count), at: UInt64(index)))
    }

    /// Title, author, publisher, picture, description and number, with number signs between.
    private func book(_ book: Int, of index: Int) -> String {
        let isbn = 9_788_900_000_000 + index * 5 + book
        return "책 \(index)-\(book + 1)#지은이 \(index % 97)#펴낸곳 \(index % 31)"
            + "#http://image.squall.test/\(isbn).jpg#한 줄 소개#\(isbn)"
    }

    private static let genres = ["소설", "시", "에세이", "과학", "역사", "경제"]
}

/// Share.D: questions about a present, each about one product of a shop.
struct GiftContent: ContentGenerator {
    let posts: CommunityPosts
    var count: Int { posts.count }

    func entry(_ index: Int) -> ContentEntry {
        ContentEntry(productID: "선물용", author: posts.author(index), hashTags: [])
    }

    func draft(_ index: Int, idOf: (Int) -> ObjectID) -> Post.Draft {
        let product = 80_000_000 + index
        return Post.Draft(
            title: "<b>집들이 선물</b> \(index % 200)",
            price: 1_000 * (5 + Int(posts.stream.integer(below: 95, at: UInt64(index)))),
            content: "이 선물 어떤가요?", extra: ["쇼핑몰 \(index % 40)", "\(product)"],
            files: ["http://shop.squall.test/main_\(product)/\(product).jpg"])
    }
}

/// OOTD: today's outfit of a user, with one picture.
struct OutfitContent: ContentGenerator {
    let posts: CommunityPosts
    var count: Int { posts.count }

    func entry(_ index: Int) -> ContentEntry {
        ContentEntry(
            productID: "test0204", author: posts.author(index), hashTags: ["OOTD", season(index)])
    }

    func draft(_ index: Int, idOf: (Int) -> ObjectID) -> Post.Draft {
        Post.Draft(
            content: "오늘의 옷차림 #OOTD #\(season(index))",
            files: [SeededFiles.picturePath(index, "jpg")])
    }

    private func season(_ index: Int) -> String {
        OutfitContent.seasons[Int(posts.stream.integer(below: 4, at: UInt64(index)))]
    }

    private static let seasons = ["봄", "여름", "가을", "겨울"]
}
