/// Bodies that the scripted server sends.
enum Answers {
    /// A post by number, its newest facts first: who wrote it, what it costs, who liked it.
    static func post(
        _ number: Int, by author: String = "author", price: Int = 0, likes: [String] = [],
        buyers: [String] = [], files: [String] = []
    ) -> String {
        """
        {"post_id":"p\(number)","_id":"p\(number)","product_id":"tbtb_recommend",
         "title":"title \(number)","price":\(price),"content":"content",
         "createdAt":"2024-08-27T00:00:00.000Z","time":"2024-08-27T00:00:00.000Z",
         "creator":{"user_id":"\(author)","_id":"\(author)","nick":"nick"},
         "files":\(files),"image":\(files),"likes":\(likes),"likes2":[],"hashTags":[],
         "buyers":\(buyers),"comments":[]}
        """
    }

    /// A comment by number.
    static func comment(_ number: Int, by author: String) -> String {
        """
        {"comment_id":"c\(number)","content":"content","createdAt":"2024-08-27T00:00:00.000Z",
         "creator":{"user_id":"\(author)","nick":"nick"}}
        """
    }

    /// A page of Naver's search whose items share a title.
    static func products(_ title: String, count: Int = 1) -> String {
        let items = Array(repeating: #"{"title":"\#(title)"}"#, count: count)
        return #"{"total":1,"start":1,"display":1,"items":[\#(items.joined(separator: ","))]}"#
    }

    /// A page of posts.
    static func page(_ posts: [String], next: String = "0") -> String {
        #"{"data":[\#(posts.joined(separator: ","))],"next_cursor":"\#(next)"}"#
    }

    /// A page of posts by their numbers.
    static func page(_ numbers: some Sequence<Int>, next: String = "0") -> String {
        page(numbers.map { post($0) }, next: next)
    }

    /// A body that every model decodes from: the members of all answers at once.
    static let everything = """
        {"data":[\(post(0))],"next_cursor":"0","message":"fine","like_status":true,
         "user_id":"me","_id":"me","email":"e@x.kr","nick":"nick","opponent_nick":"other",
         "following_status":true,"profileImage":"uploads/profiles/me.png","accessToken":"T1",
         "refreshToken":"R","token":"T1","followers":[],"following":[],"posts":[],
         "files":["uploads/posts/a.png"],"image":["uploads/posts/a.jpg"],
         "post_id":"p0","product_id":"tbtb_recommend","content":"content",
         "createdAt":"2024-08-27T00:00:00.000Z","time":"2024-08-27T00:00:00.000Z",
         "creator":{"user_id":"author","_id":"author","nick":"nick"},"likes":[],"likes2":[],
         "hashTags":[],"buyers":[],"comments":[],"comment_id":"c1","buyer_id":"me",
         "merchant_uid":"m","productName":"name","price":100,"paidAt":"2024-08-27T00:00:00.000Z"}
        """
}
