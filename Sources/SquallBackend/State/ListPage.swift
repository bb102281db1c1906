/// A page of a list that was answered, as only the server can tell it.
public final class ListPage: Sendable {
    /// Which list it is of.
    public let list: ListID
    /// How it was asked for.
    public let paging: Paging
    /// Whether nothing of the list comes before it.
    public let isFirst: Bool
    /// Whether nothing of the list came after it then.
    public let isLast: Bool
    /// The numbers of its items; a list counts its items in the order in which they were made.
    public let items: [Int32]
    /// Items with lower numbers had been made when the page was read.
    public let itemsEver: Int32
    /// How many rows had to be looked at to find the items.
    public let rowsScanned: Int

    /// How the next page of a list is asked for.
    public enum Paging: String, Hashable, Sendable {
        /// After the last item of the page before.
        case cursor
        /// After so many items.
        case offset
    }

    init(
        of list: ListID, by paging: Paging, isFirst: Bool, isLast: Bool, items: [Int32],
        itemsEver: Int, rowsScanned: Int
    ) {
        self.list = list
        self.paging = paging
        self.isFirst = isFirst
        self.isLast = isLast
        self.items = items
        self.itemsEver = Int32(itemsEver)
        self.rowsScanned = rowsScanned
    }
}

/// Which list a page is of.
public struct ListID: Hashable, Sendable {
    let kind: Kind

    enum Kind: Hashable {
        case posts(PostStore.Selection)
        case liked(user: Int, isSecond: Bool)
        case shelf(CatalogueKind, CatalogueSort)
    }

    init(_ kind: Kind) { self.kind = kind }
}
