/// The rules of `Pages` as a value: events go in, actions come out.
///
/// One page is loaded at a time, because only a page knows where the next one is.
struct PageMachine<Order: PageOrder>: Sendable {
    /// What is to be done.
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
