import Testing

@testable import SquallReport

@Suite("Labels of marks")
struct MarkLabelTests {
    private func labels(_ marks: (Double, String)...) -> [MarkLabel] {
        MarkLabel.all(of: marks.map { Plot.Mark(place: $0.0, label: $0.1) })
    }

    @Test("Marks of one moment stand below each other")
    func sameMoment() {
        let labels = labels((0.5, "a"), (0.2, "c"), (0.5, "b"))
        #expect(labels.map(\.text) == ["c", "a", "b"])
        #expect(labels.map(\.line) == [0, 0, 1])
    }

    @Test("A label that would leave the chart stands to the left of its mark")
    func atTheEnd() {
        #expect(
            labels((0.1, "expireAllTokens"), (0.9, "b"), (0.99, "c")).map(\.isLeft) == [
                false, false, true,
            ])
    }

    @Test("A label that would cover another takes the next line, and lines are used again")
    func lines() {
        let name = "expireAllTokens"
        #expect(labels((0.0, name), (0.1, name), (0.5, name)).map(\.line) == [0, 1, 0])
        #expect(labels((0.0, "a"), (0.5, "b")).map(\.line) == [0, 0])
    }
}
