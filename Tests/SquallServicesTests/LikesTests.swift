import SquallHTTP
import SquallKernel
import Testing

@testable import SquallServices

@Suite("Lists of users who like a post")
struct LikesTests {
    @Test("Written in runs or not, the bytes are those of the plain list", arguments: 1...10)
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

    @Test("One more like leaves all but the newest run the same objects")
    func sharing() throws {
        let directory = Users(count: 400)
        var likes = Likes()
        for user in 0..<200 { _ = likes.set(true, user: user, directory) }
        let before = runs(of: &likes)
        _ = likes.set(true, user: 200, directory)
        let after = runs(of: &likes)
        #expect(before.count == 4 && after.count == 4)
        #expect(zip(before, after).map { $0 === $1 } == [true, true, true, false])
    }

    private func runs(of likes: inout Likes) -> [BodyChunk] {
        var writer = JSONWriter()
        writer.object { likes.write(into: &$0, "likes") }
        return writer.chunk.parts.filter(\.isRun)
    }
}
