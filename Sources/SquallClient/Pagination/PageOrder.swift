/// How one page of a list leads to the next.
public protocol PageOrder<Position, Page>: Sendable {
    /// What a page is asked for by.
    associatedtype Position: Hashable, Sendable
    /// What comes back.
    associatedtype Page: Sendable
    /// Where the first page is.
    var start: Position { get }
    /// Where the page after this one is; `nil` after the last one.
    func position(after page: Page, at position: Position) -> Position?
}

/// Pages that name their successor, until the name is `"0"`.
public struct CursorOrder<Page: CursorPage>: PageOrder {
    /// What a cursor of `"0"` means to the reader.
    public enum Terminator: Hashable, Sendable {
        /// The end.
        case ends
        /// A cursor like any other: a server that takes it for the beginning hands out its whole
        /// list again, and again.
        case isFollowed
    }

    /// The cursor after the last page.
    public static var lastCursor: String { "0" }

    /// The first page's cursor; most servers take an empty one for the beginning.
    public let start: String
    private let terminator: Terminator

    /// An order that begins at a cursor.
    public init(
        of _: Page.Type = Page.self, start: String = "", terminator: Terminator = .ends
    ) {
        self.start = start
        self.terminator = terminator
    }

    /// The cursor that the page names.
    public func position(after page: Page, at _: String) -> String? {
        let isEnd = terminator == .ends && page.nextCursor == Self.lastCursor
        return isEnd ? nil : page.nextCursor
    }
}

/// Pages of so many items that are asked for by how many items come before.
///
/// What is added at the list's beginning between two pages moves items into the next page, where
/// they are met again; what is removed makes items be skipped.
public struct OffsetOrder<Item: Sendable>: PageOrder {
    /// How many items come before the first page.
    public let start: Int
    /// How many items are asked for; a page with fewer is the last one.
    public let limit: Int

    /// An order of pages of `limit` items.
    ///
    /// - Precondition: `limit` is at least 1.
    public init(of _: Item.Type = Item.self, start: Int = 0, limit: Int) {
        precondition(limit >= 1, "a page has at least 1 item, not \(limit)")
        self.start = start
        self.limit = limit
    }

    /// As many items further as the page has; `nil` after a page that is not full.
    public func position(after page: [Item], at position: Int) -> Int? {
        page.count < limit ? nil : position + page.count
    }
}
