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
