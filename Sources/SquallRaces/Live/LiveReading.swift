import SquallBackend

/// The pages of lists that a user has read lately.
struct LiveReading {
    private var lists: [List] = []
    private static let listsMax = 4
    private static let pagesMax = 64
    /// The number of times in a row after which a reader that comes back to a page, and to no other
    /// between, does not read on.
    private static let rowMax = 4

    private struct List {
        let id: ListID
        let itemsEver: Int32
        /// How many times the list was begun: as many readers may read on.
        var firsts = 0
        var pages: [Page] = []
        /// The page that came last, and how many times in a row.
        var row: (items: [Int32], count: Int) = ([], 0)
        /// The page before it, and how many pages came in turn with one other.
        var turns: (items: [Int32], count: Int) = ([], 0)
        var hasGap = false
    }

    private struct Page {
        let items: [Int32]
        var request: UInt32
        var endedAt: Int64
        /// How many times it came while it was open or at once after.
        var hurried = 0
    }

    /// A page that has come, and when it was asked for.
    struct Arrival {
        let page: ListPage
        let request: UInt32
        let sentAt: Int64
        let endedAt: Int64
    }

    /// Notes that a page has come; returns what is wrong with it.
    ///
    /// Readers load again around the place where they are: only a page that is asked for while it
    /// is open, at once after, or again and again is one too many.
    mutating func read(_ arrival: Arrival, pause: Int64) -> LiveCalls.Breach? {
        let page = arrival.page
        var list = take(page)
        defer { lists.append(list) }
        if page.isFirst { list.firsts += 1 }
        guard !page.items.isEmpty else { return nil }
        if list.row.items != page.items {
            list.turns = (list.row.items, list.turns.items == page.items ? list.turns.count + 1 : 1)
        }
        list.row = (page.items, list.row.items == page.items ? list.row.count + 1 : 1)
        if let place = list.pages.firstIndex(where: { $0.items == page.items }) {
            return again(arrival, list.row.count, at: place, of: &list, pause)
        }
        if list.pages.count < Self.pagesMax {
            list.pages.append(
                Page(items: page.items, request: arrival.request, endedAt: arrival.endedAt))
        }
        guard page.isLast, list.firsts > 0, !list.hasGap, list.pages.count < Self.pagesMax else {
            return nil
        }
        let shown = Set(list.pages.flatMap(\.items))
        let missed = page.list.items(numberedBelow: list.itemsEver).count { !shown.contains($0) }
        guard missed > 0 else { return nil }
        list.hasGap = true
        let isCounted = page.paging != .cursor
        let text = "the list was read to its end without \(missed) of its items"
        return LiveCalls.Breach(
            promise: .wholeList, text: text + (isCounted ? BrokenPromise.byOffset : ""),
            requests: [arrival.request], isArguable: isCounted, cause: "gap")
    }

    private func again(
        _ arrival: Arrival, _ row: Int, at place: Int, of list: inout List, _ pause: Int64
    ) -> LiveCalls.Breach? {
        let earlier = list.pages[place]
        list.pages[place].endedAt = arrival.endedAt
        list.pages[place].request = arrival.request
        guard !arrival.page.isFirst else { return nil }
        let isOpen = arrival.sentAt < earlier.endedAt
        func twice(_ text: String) -> LiveCalls.Breach {
            LiveCalls.Breach(
                promise: .wholeList, text: text, requests: [earlier.request, arrival.request],
                cause: "twice")
        }
        if isOpen || arrival.sentAt - earlier.endedAt < pause {
            list.pages[place].hurried += 1
            guard list.pages[place].hurried == max(1, list.firsts) else { return nil }
            let how = isOpen ? "while it was open" : "at once after it had come"
            return twice("a page of the list was asked for again \(how)")
        }
        let limit = Self.rowMax + max(0, list.firsts - 1)
        if row == limit { return twice("a page of the list was asked for \(row) times in a row") }
        guard list.turns.count == 2 * limit, row == 1 else { return nil }
        return twice("two pages of the list were asked for in turn, \(limit) times each")
    }

    /// The list of a page, taken out; the one that was read longest ago is replaced by a new one.
    private mutating func take(_ page: ListPage) -> List {
        if let place = lists.firstIndex(where: { $0.id == page.list }) {
            return lists.remove(at: place)
        }
        if lists.count >= Self.listsMax { lists.removeFirst() }
        return List(id: page.list, itemsEver: page.itemsEver)
    }
}
