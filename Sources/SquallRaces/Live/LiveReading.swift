import SquallBackend

/// The pages of lists that a user has read lately.
struct LiveReading {
    private var lists: [List] = []
    private static let listsMax = 4
    private static let pagesMax = 64

    private struct List {
        let id: ListID
        let itemsEver: Int32
        /// How many times the list was begun: as many readers may read on.
        var firsts = 0
        var pages: [(items: [Int32], count: Int, request: UInt32)] = []
        var hasGap = false
    }

    /// A page has come; what is wrong with it, and the requests that say so.
    mutating func read(_ page: ListPage, _ number: UInt32) -> (text: String, requests: [UInt32])? {
        var list = take(page)
        defer { lists.append(list) }
        if page.isFirst { list.firsts += 1 }
        guard !page.items.isEmpty else { return nil }
        if let place = list.pages.firstIndex(where: { $0.items == page.items }) {
            list.pages[place].count += 1
            guard list.pages[place].count == list.firsts + 1 else { return nil }
            return ("a page of the list was fetched twice", [list.pages[place].request, number])
        }
        if list.pages.count < Self.pagesMax { list.pages.append((page.items, 1, number)) }
        guard page.isLast, page.paging == .cursor, list.firsts > 0, !list.hasGap,
            list.pages.count < Self.pagesMax
        else {
            return nil
        }
        let shown = Set(list.pages.flatMap(\.items))
        let missed = page.list.items(numberedBelow: list.itemsEver).count { !shown.contains($0) }
        guard missed > 0 else { return nil }
        list.hasGap = true
        return ("the list was read to its end without \(missed) of its items", [number])
    }

    /// The list of a page, taken out; the one that was read longest ago makes room for a new one.
    private mutating func take(_ page: ListPage) -> List {
        if let place = lists.firstIndex(where: { $0.id == page.list }) {
            return lists.remove(at: place)
        }
        if lists.count >= Self.listsMax { lists.removeFirst() }
        return List(id: page.list, itemsEver: page.itemsEver)
    }
}
