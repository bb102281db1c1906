import Synchronization

/// Loads the next page whenever a screen says that it nears its end, which it may say twice.
///
/// With the guard a call during a load is ignored. Without it the same page is loaded again, and
/// shown again: what apps without an `isLoading` do.
public final class PageLoader<Order: PageOrder>: Sendable {
    /// What a call came to.
    public enum Outcome: Sendable {
        /// A page that is to be shown after those before.
        case page(Order.Page)
        /// Another call is loading.
        case isLoading
        /// There is no further page.
        case end
    }

    private struct State: Sendable {
        var position: Order.Position?
        var loads = 0
    }

    private let order: Order
    private let isGuarded: Bool
    private let load: Pages<Order>.Load
    private let state: Mutex<State>

    /// A loader at the list's beginning.
    ///
    /// - Parameters:
    ///   - order: how one page leads to the next.
    ///   - isGuarded: whether a call during a load is ignored.
    ///   - load: loads a page.
    public init(
        _ order: Order, isGuarded: Bool = true, load: @escaping Pages<Order>.Load
    ) {
        self.order = order
        self.isGuarded = isGuarded
        self.load = load
        state = Mutex(State(position: order.start))
    }

    /// Loads the next page.
    ///
    /// - Throws: what the load throws; the next call loads the same page.
    public func loadNext() async throws -> Outcome {
        let begun: (position: Order.Position?, isIgnored: Bool) = state.withLock { state in
            let isIgnored = isGuarded && state.loads > 0
            if state.position != nil, !isIgnored { state.loads += 1 }
            return (state.position, isIgnored)
        }
        guard !begun.isIgnored else { return .isLoading }
        guard let position = begun.position else { return .end }
        defer { state.withLock { $0.loads -= 1 } }
        let page = try await load(position)
        state.withLock { $0.position = order.position(after: page, at: position) }
        return .page(page)
    }

    /// Goes back to the list's beginning, as a pull to refresh does.
    public func restart() { state.withLock { $0.position = order.start } }
}
