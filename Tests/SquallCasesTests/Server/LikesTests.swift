import SquallHTTP
import SquallKernel
import Testing

@testable import SquallCases

@Suite("Lists of users who like a post")
struct LikesTests {
    @Test(
        "A list of likes has the bytes of the plain list, written in runs or not", arguments: 1...10
    )
    func bytes(seed: UInt64) {
        let stream = RandomStream(seed: seed)
        let directory = Users(count: 400)
        var (likes, expected): (Likes, [Int]) = (Likes(), [])
        for turn in 0..<900 {
            let user = Int(stream.integer(below: 300, at: UInt64(turn) * 2))
            let joins = stream.chance(0.7, at: UInt64(turn) * 2 + 1)
            let changes = likes.set(joins, user: user, directory)
            #expect(changes == (joins != expected.contains(user)))
            expected.removeAll { $0 == user && !joins }
            if changes, joins { expected.append(user) }
            guard turn % 30 == 0 || turn > 880 else { continue }
            var writer = JSONWriter()
            writer.object { likes.write(into: &$0, "likes") }
            let list = expected.map { "\"\(directory.id($0))\"" }.joined(separator: ",")
            #expect(writer.body.text == "{\"likes\":[\(list)]}")
        }
    }

    @Test("One more like rewrites few bytes, however long the list is")
    func sharing() throws {
        let directory = Users(count: 2_000)
        var likes = Likes()
        for user in 0..<100 { _ = likes.set(true, user: user, directory) }
        var (before, made): ([BodyChunk], Int) = (runs(of: &likes), 0)
        for user in 100..<1_000 {
            _ = likes.set(true, user: user, directory)
            let after = runs(of: &likes)
            let known = Set(before.map(ObjectIdentifier.init))
            made += after.reduce(0) { $0 + (known.contains(ObjectIdentifier($1)) ? 0 : $1.count) }
            before = after
        }
        #expect(before.count == 1 + 7 + 5, "512, seven times 64, five times 8")
        #expect(made < 900 * 27 * 7, "\(made) bytes for 900 likes")
    }

    @Test(
        "A user's list has the liked posts, and a place for every post that ever was in it",
        arguments: 1...10)
    func places(seed: UInt64) {
        let stream = RandomStream(seed: seed)
        var (list, events): (LikedList, [(post: Int32, isLiked: Bool)]) = (LikedList(), [])
        for turn in 0..<200 {
            let post = Int32(stream.integer(below: 12, at: UInt64(turn) * 2))
            let isLiked = list.posts.contains(post)
            guard stream.chance(0.7, at: UInt64(turn) * 2 + 1) != isLiked else { continue }
            list.set(!isLiked, post)
            events.append((post, !isLiked))
            let latest = { (post: Int32) in events.lastIndex { $0.post == post && $0.isLiked } }
            let liked = (0..<12).filter { post in events.last { $0.post == post }?.isLiked == true }
                .sorted { (latest($0) ?? 0) < (latest($1) ?? 0) }
            #expect(list.posts == liked)
            for post in Int32(0)..<12 {
                let before = latest(post).map { like in
                    liked.count { (latest($0) ?? 0) < like }
                }
                #expect(list.position(of: post) == before)
            }
        }
    }

    private func runs(of likes: inout Likes) -> [BodyChunk] {
        var writer = JSONWriter()
        writer.object { likes.write(into: &$0, "likes") }
        return writer.chunk.parts.filter(\.isRun)
    }
}
