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

    /// A page of its parts.
    public init(
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

    /// The same page of a list that another keeper has, or none.
    public func kept(by keeper: (any ListKeeper)?) -> ListPage {
        ListPage(
            of: ListID(list.key, keptBy: keeper), by: paging, isFirst: isFirst, isLast: isLast,
            items: items, itemsEver: Int(itemsEver), rowsScanned: rowsScanned)
    }
}

/// Which list a page is of, and who keeps it.
public struct ListID: Hashable, Sendable {
    /// What tells it from the other lists of its keeper.
    public let key: any Hashable & Sendable
    private let keeper: (any ListKeeper)?

    /// A list by its key; without a keeper nothing is known of what stands in it.
    public init(_ key: any Hashable & Sendable, keptBy keeper: (any ListKeeper)? = nil) {
        self.key = key
        self.keeper = keeper
    }

    /// The items that stand in the list now, of those made before its first `itemsEver`.
    public func items(numberedBelow itemsEver: Int32) -> [Int32] {
        (keeper?.items(of: self) ?? []).filter { $0 < itemsEver }
    }

    /// Whether both are the same list of the same keeper.
    public static func == (left: ListID, right: ListID) -> Bool {
        left.keeper === right.keeper && isEqual(left.key, right.key)
    }

    /// Feeds the key.
    public func hash(into hasher: inout Hasher) { key.hash(into: &hasher) }

    private static func isEqual<Key: Hashable>(_ left: Key, _ right: any Hashable) -> Bool {
        isEqual(left, to: right)
    }

    /// A cast would look for conformances at run time, which takes longer than all the rest.
    private static func isEqual<Left: Hashable, Right: Hashable>(
        _ left: Left, to right: Right
    ) -> Bool {
        Left.self == Right.self && left == unsafeBitCast(right, to: Left.self)
    }
}

/// Knows what stands in its lists, for those who check what a reader has missed.
public protocol ListKeeper: AnyObject, Sendable {
    /// The numbers of the items that stand in a list of its own now; none where that is not told.
    func items(of list: ListID) -> [Int32]
}
