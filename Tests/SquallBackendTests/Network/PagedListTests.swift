import Testing

@testable import SquallBackend

@Suite("A list in pages")
struct PagedListTests {
    @Test("Each element stands at its place, also behind the first pages, and can be changed there")
    func places() {
        var list = PagedList<Int>()
        for number in 0..<10_000 { list.append(number) }
        list[4_096] += 1_000_000
        #expect(list.count == 10_000 && list.indices == 0..<10_000)
        #expect(
            list.indices.map { list[$0] }.enumerated().allSatisfy { place, element in
                element == (place == 4_096 ? 1_004_096 : place)
            })
    }
}
