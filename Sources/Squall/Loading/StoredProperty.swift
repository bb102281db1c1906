import Synchronization

/// A stored property of Foundation's objects that has no accessor, found by its name.
///
/// A mirror copies every property that it is asked for, so where one stands is kept for each class.
final class StoredProperty: Sendable {
    private let name: String
    private let places = Mutex<[ObjectIdentifier: Place]>([:])

    /// So many classes above an object's own, and which property of that class.
    private struct Place {
        var classes = 0
        var index = 0
    }

    init(_ name: String) { self.name = name }

    /// What an object has there; `nil` without an object, and where there is no such property.
    func value(of object: AnyObject?) -> Any? {
        guard let object else { return nil }
        let kind = ObjectIdentifier(type(of: object))
        guard let place = places.withLock({ $0[kind] }) else { return search(object, kind) }
        var mirror: Mirror? = Mirror(reflecting: object)
        for _ in 0..<place.classes { mirror = mirror?.superclassMirror }
        guard let children = mirror?.children else { return nil }
        return children[children.index(children.startIndex, offsetBy: place.index)].value
    }

    private func search(_ object: AnyObject, _ kind: ObjectIdentifier) -> Any? {
        var place = Place()
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for (index, child) in current.children.enumerated() where child.label == name {
                place.index = index
                places.withLock { $0[kind] = place }
                return child.value
            }
            place.classes += 1
            mirror = current.superclassMirror
        }
        return nil
    }
}
