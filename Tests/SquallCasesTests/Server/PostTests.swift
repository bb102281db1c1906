import SquallHTTP
import SquallKernel
import Testing

@testable import SquallCases

@Suite("A post's JSON")
struct PostTests {
    @Test("A post that keeps its head has the bytes of one that is written anew", arguments: 1...4)
    func keptHead(seed: UInt64) {
        let stream = RandomStream(seed: seed)
        var users = Users(count: 6)
        var kept = post(Post.Draft(productID: "novel", title: "first"))
        for turn in 0..<120 {
            let user = Int(stream.integer(below: 6, at: UInt64(turn)))
            switch stream.integer(below: 8, at: UInt64(turn + 1_000)) {
            case 0: kept.apply(Post.Draft(title: "title \(turn)"))
            case 1:
                var account = users.account(user)
                account.nick = "name\(turn)"
                users.update(user, to: account)
            default: _ = kept.likes2.set(turn % 3 > 0, user: user, users)
            }
            var anew = post(kept.fields)
            (anew.likes, anew.likes2) = (kept.likes, kept.likes2)
            let year = ContractYear.allCases[turn / 5 % ContractYear.allCases.count]
            #expect(text(&kept, year, users) == text(&anew, year, users), "turn \(turn)")
        }
    }

    private func post(_ draft: Post.Draft) -> Post {
        Post(
            id: ObjectID(.post, number: 1, second: 0), author: 2, createdAtMilliseconds: 0,
            fields: draft)
    }

    private func text(_ post: inout Post, _ year: ContractYear, _ users: Users) -> String {
        var writer = JSONWriter()
        writer.object { post.write(into: &$0, year, users) }
        return writer.body.text
    }
}
