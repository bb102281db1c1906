import SquallKernel
import Testing

@testable import SquallRaces

@Suite("Ordered pairs")
struct PairMatrixTests {
    @Test("A chosen event precedes the others of its user, and none of another user")
    func noting() {
        var pairs = PairMatrix()
        let ready = Self.ready(["a", "b", "c"]) + [Self.event("d", user: 2, 9)]
        pairs.note(ready[1], among: ready)
        #expect(pairs.all == [Self.pair("b", "a"), Self.pair("b", "c")])
        #expect(pairs.count == 2 && pairs.possibleCount == 4)
    }

    @Test("Two of a kind are a pair of their own")
    func sameKind() {
        var pairs = PairMatrix()
        let ready = [Self.event("a", user: 1, 0), Self.event("a", user: 1, 1)]
        pairs.note(ready[0], among: ready)
        #expect(pairs.all == [Self.pair("a", "a")] && pairs.possibleCount == 1)
    }

    @Test("More kinds than a word has bits are told apart", arguments: [63, 64, 65, 200])
    func wide(count: Int) {
        var pairs = PairMatrix()
        let ready = Self.ready((0..<count).map { "kind \($0)" })
        for event in ready { pairs.note(event, among: ready) }
        #expect(pairs.count == count * (count - 1) && pairs.possibleCount == pairs.count)
        #expect(Set(pairs.all).count == pairs.count)
    }

    @Test("Runs that met kinds in another order add up by name")
    func union() {
        var (first, second) = (PairMatrix(), PairMatrix())
        let (one, other) = (Self.ready(["a", "b"]), Self.ready(["b", "c", "a"]))
        first.note(one[0], among: one)
        second.note(other[0], among: other)
        first.formUnion(second)
        #expect(
            first.all == [
                Self.pair("a", "b"), Self.pair("b", "a"), Self.pair("b", "c"),
            ])
    }

    private static func ready(_ labels: [String]) -> [ReadyEvent] {
        labels.enumerated().map { event($1, user: 1, $0) }
    }

    private static func event(
        _ label: String, user: UInt64, _ ordinal: Int
    ) -> ReadyEvent {
        ReadyEvent(.task, "\(label)", of: .init(user: user), ordinal: UInt64(ordinal))
    }

    private static func pair(_ first: String, _ second: String) -> [String] {
        [first, second]
    }
}
