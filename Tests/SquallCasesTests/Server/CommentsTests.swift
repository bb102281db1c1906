import SquallHTTP
import SquallKernel
import Testing

@testable import SquallCases

@Suite("Comments on a post")
struct CommentsTests {
    @Test("Comments kept in runs have the bytes of comments written anew", arguments: 1...4)
    func bytes(seed: UInt64) {
        let stream = RandomStream(seed: seed)
        var directory = Users(count: 6)
        var (comments, plain): (Comments, [SquallCases.Comment]) = (Comments(), [])
        for turn in 0..<200 {
            change(&comments, &plain, turn, stream.stream(number: UInt64(turn)))
            if turn % 9 == 0 {
                var account = directory.account(turn % 6)
                account.nick = "name\(turn)"
                directory.update(turn % 6, to: account)
            }
            let year = ContractYear.allCases[turn % ContractYear.allCases.count]
            var writer = JSONWriter()
            writer.object { comments.write(into: &$0, "comments", year, directory) }
            #expect(writer.body.text == expected(plain, year, directory), "turn \(turn)")
        }
    }

    @Test("A new comment leaves all but the newest run the same objects")
    func sharing() {
        let directory = Users(count: 6)
        var comments = Comments()
        for number in 0..<20 { comments.add(comment(number)) }
        let before = runs(of: &comments, directory)
        comments.add(comment(20))
        let after = runs(of: &comments, directory)
        #expect(before.count == 3 && after.count == 3)
        #expect(zip(before, after).map { $0 === $1 } == [false, true, true])
    }

    @Test("Many comments are in few runs, and an edit leaves the older runs the same objects")
    func longLists() {
        let directory = Users(count: 6)
        var comments = Comments()
        for number in 0..<600 { comments.add(comment(number)) }
        let before = runs(of: &comments, directory)
        comments.edit(comment(590).id, content: "edited")
        let after = runs(of: &comments, directory)
        #expect(before.count == 5 && after.count == 5, "512, 64, three times 8")
        #expect(zip(before, after).map { $0 === $1 } == [false, false, true, true, true])
    }

    /// Adds, edits or removes one in both.
    private func change(
        _ comments: inout Comments, _ plain: inout [SquallCases.Comment], _ turn: Int,
        _ stream: RandomStream
    ) {
        let place = plain.isEmpty ? 0 : Int(stream.integer(below: UInt64(plain.count), at: 0))
        switch stream.integer(below: 10, at: 1) {
        case 0 where !plain.isEmpty:
            comments.remove(plain.remove(at: place).id)
        case 1 where !plain.isEmpty:
            plain[place].content = "edited in turn \(turn)"
            comments.edit(plain[place].id, content: plain[place].content)
        default:
            plain.insert(comment(turn), at: 0)
            comments.add(plain[0])
        }
    }

    private func comment(_ number: Int) -> SquallCases.Comment {
        SquallCases.Comment(
            id: ObjectID(.comment, number: number, second: 7), author: number % 6,
            content: "said \"\(number)\"", createdAtMilliseconds: Int64(number))
    }

    /// The plain list, written without runs.
    private func expected(_ plain: [SquallCases.Comment], _ year: ContractYear, _ users: Users)
        -> String
    {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(
                "comments",
                array: { list in
                    for comment in plain {
                        list.object { comment.write(into: &$0, year.keys, users) }
                    }
                })
        }
        return writer.body.text
    }

    private func runs(of comments: inout Comments, _ users: Users) -> [BodyChunk] {
        var writer = JSONWriter()
        writer.object { comments.write(into: &$0, "comments", .year2024, users) }
        return writer.chunk.parts.filter(\.isRun)
    }
}
