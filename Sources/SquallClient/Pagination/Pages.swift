import Synchronization

/// A list's pages, loaded as they are read or a bounded number of pages ahead.
///
/// ```swift
/// for try await page in Pages(CursorOrder(of: PostPage.self), prefetch: 1, load: { cursor in
///     try await session.request(Router.posts(after: cursor)).serializingDecodable().value
/// }) { show(page.items) }
/// ```
///
/// Nothing is loaded before the first page is asked for. An error comes after the pages before it
/// and ends the list, as does cancelling the reading task, which also cancels the load under way.
public struct Pages<Order: PageOrder>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Order.Page
    /// Loads the page at a position.
    public typealias Load = @Sendable (Order.Position) async throws -> Order.Page

    private let order: Order
    private let prefetch: Int
    private let load: Load

    /// A list's pages.
    ///
    /// - Parameters:
    ///   - order: how one page leads to the next.
    ///   - prefetch: how many pages may be loaded, or be loading, beyond the one that is read.
    ///   - load: loads a page.
    /// - Precondition: `prefetch` is not negative.
    public init(_ order: Order, prefetch: Int = 0, load: @escaping Load) {
        precondition(prefetch >= 0, "at least 0 pages are loaded ahead, not \(prefetch)")
        self.order = order
        self.prefetch = prefetch
        self.load = load
    }

    /// Begins to read at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            reading: PageReading(
                machine: PageMachine(order: order, prefetch: prefetch), load: load))
    }

    /// A place in the list.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: PageReading<Order>
        /// Cancels the load under way when the iterator is freed.
        private let end: PageReading<Order>.End

        fileprivate init(reading: PageReading<Order>) {
            self.reading = reading
            end = PageReading<Order>.End(reading: reading)
        }

        /// The next page; `nil` after the last one.
        ///
        /// - Throws: what `load` throws; `CancellationError` when the reading task is cancelled.
        public mutating func next() async throws -> Order.Page? { try await reading.next() }
    }
}

/// The shell: performs the machine's actions.
private final class PageReading<Order: PageOrder>: Sendable {
    private struct State: Sendable {
        var machine: PageMachine<Order>
        var reader: CheckedContinuation<Order.Page?, any Error>?
        var loading: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let load: Pages<Order>.Load

    init(machine: PageMachine<Order>, load: @escaping Pages<Order>.Load) {
        state = Mutex(State(machine: machine))
        self.load = load
    }

    func next() async throws -> Order.Page? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { reader in
                apply { state in
                    precondition(state.reader == nil, "an iterator is read by one task at a time")
                    state.reader = reader
                    return state.machine.wanted()
                }
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        apply { state in
            state.loading?.cancel()
            return state.machine.cancelled()
        }
    }

    private func apply(_ event: (inout State) -> [PageMachine<Order>.Action]) {
        var delivery:
            (CheckedContinuation<Order.Page?, any Error>?, Result<Order.Page?, any Error>)?
        state.withLock { state in
            for action in event(&state) {
                switch action {
                case .load(let position): state.loading = Task { await self.load(at: position) }
                case .deliver(let result):
                    delivery = (state.reader, result)
                    state.reader = nil
                }
            }
        }
        if let (reader, result) = delivery { reader?.resume(with: result) }
    }

    private func load(at position: Order.Position) async {
        do {
            let page = try await load(position)
            apply { $0.machine.came(page) }
        } catch {
            apply { $0.machine.failed(error) }
        }
    }

    /// What an iterator holds; freed with its last copy.
    final class End: Sendable {
        private let reading: PageReading

        init(reading: PageReading) { self.reading = reading }

        deinit { reading.cancel() }
    }
}

/// The rules of `Pages` as a value: events go in, actions come out.
///
/// One page is loaded at a time, because only a page knows where the next one is.
struct PageMachine<Order: PageOrder>: Sendable {
    enum Action: Sendable {
        case load(Order.Position)
        /// The reader gets a page, an error or the end.
        case deliver(Result<Order.Page?, any Error>)
    }

    private let order: Order
    private let prefetch: Int
    /// Where the next page is; `nil` once there is none, after an error or a cancellation too.
    private var position: Order.Position?
    private var loaded: [Order.Page] = []
    private var failure: (any Error)?
    private var isLoading = false
    private var isReaderWaiting = false

    init(order: Order, prefetch: Int) {
        self.order = order
        self.prefetch = prefetch
        position = order.start
    }

    /// The reader wants the next page.
    mutating func wanted() -> [Action] {
        isReaderWaiting = true
        return settle()
    }

    /// A page has come.
    mutating func came(_ page: Order.Page) -> [Action] {
        isLoading = false
        guard let position else { return [] }
        loaded.append(page)
        self.position = order.position(after: page, at: position)
        return settle()
    }

    /// A page could not be loaded; the reader learns of it after the pages before.
    mutating func failed(_ error: any Error) -> [Action] {
        isLoading = false
        guard position != nil else { return [] }
        failure = error
        position = nil
        return settle()
    }

    /// The reader has been cancelled: nothing is loaded or delivered any more.
    mutating func cancelled() -> [Action] {
        position = nil
        failure = nil
        loaded = []
        guard isReaderWaiting else { return [] }
        isReaderWaiting = false
        return [.deliver(.failure(CancellationError()))]
    }

    private mutating func settle() -> [Action] {
        var actions: [Action] = []
        if isReaderWaiting, let result = takeResult() {
            isReaderWaiting = false
            actions.append(.deliver(result))
        }
        let room = prefetch + (isReaderWaiting ? 1 : 0)
        if let position, !isLoading, loaded.count < room {
            isLoading = true
            actions.append(.load(position))
        }
        return actions
    }

    /// What the reader gets now; `nil` while it has to wait.
    private mutating func takeResult() -> Result<Order.Page?, any Error>? {
        if !loaded.isEmpty { return .success(loaded.removeFirst()) }
        if let failure {
            self.failure = nil
            return .failure(failure)
        }
        return position == nil ? .success(nil) : nil
    }
}

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
