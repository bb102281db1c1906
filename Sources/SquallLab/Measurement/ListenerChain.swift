/// Those who hear of one kind of event, each with the traits it heeds, in their order.
///
/// A chain of constants: the compiler counts references to each element of an array that it tells,
/// and a dozen listeners are told of every exchange.
final class ListenerChain<Listener> {
    private let links: [Link]
    /// What any of them heeds.
    private let interests: EventTraits

    private final class Link {
        let listener: Listener
        let interests: EventTraits
        /// Kept by the array of all.
        let next: Unmanaged<Link>?

        init(_ listener: Listener, interests: EventTraits, before next: Link?) {
            self.listener = listener
            self.interests = interests
            self.next = next.map(Unmanaged.passUnretained)
        }
    }

    init(_ listeners: [Listener], interests: (Listener) -> EventTraits = { _ in .any }) {
        self.interests = listeners.reduce([]) { $0.union(interests($1)) }
        links = listeners.reversed().reduce(into: []) { links, listener in
            links.append(Link(listener, interests: interests(listener), before: links.last))
        }
    }

    /// Tells those who heed any of an event's traits.
    @inline(__always)
    func tell(of traits: EventTraits = .any, _ tell: (Listener) -> Void) {
        guard !interests.isDisjoint(with: traits) else { return }
        var next = links.last.map(Unmanaged.passUnretained)
        while let link = next {
            next = link._withUnsafeGuaranteedRef { link in
                if !link.interests.isDisjoint(with: traits) { tell(link.listener) }
                return link.next
            }
        }
    }
}
