/// A list that grows by pages, so that it is never copied: an array that grows takes the
/// memory of twice as many elements, and of three times as many while it does.
struct PagedList<Element> {
    private var pages: [[Element]] = []
    private(set) var count = 0

    private static var pageCount: Int { 4_096 }

    var indices: Range<Int> { 0..<count }

    subscript(position: Int) -> Element {
        get { pages[position / Self.pageCount][position % Self.pageCount] }
        _modify { yield &pages[position / Self.pageCount][position % Self.pageCount] }
    }

    mutating func append(_ element: Element) {
        if count % Self.pageCount == 0 {
            pages.append([])
            // Only a world of many has a second page, and then fills it.
            if count > 0 { pages[pages.count - 1].reserveCapacity(Self.pageCount) }
        }
        pages[pages.count - 1].append(element)
        count += 1
    }
}
