/// Those who hear of one kind of event, each with the traits it heeds.
struct Audience<Listener> {
    private let listeners: [Listener]
    /// What each of them heeds, by position, apart: who is not told is not even looked at.
    private let heeded: [EventTraits]
    /// What any of them heeds.
    private let heededByAny: EventTraits

    init(_ listeners: [Listener], heeding heeded: (Listener) -> EventTraits) {
        self.listeners = listeners
        self.heeded = listeners.map(heeded)
        heededByAny = self.heeded.reduce([]) { $0.union($1) }
    }

    /// Tells those who heed any of an event's traits, in their order.
    @inline(__always)
    func tell(of traits: EventTraits, _ tell: (Listener) -> Void) {
        guard !heededByAny.isDisjoint(with: traits) else { return }
        for position in heeded.indices where !heeded[position].isDisjoint(with: traits) {
            tell(listeners[position])
        }
    }
}
