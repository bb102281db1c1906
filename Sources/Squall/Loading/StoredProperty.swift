import CVirtualDispatch
import Synchronization

/// A stored property of Foundation's objects without an accessor, found by its name.
///
/// A mirror copies every property that it is asked for, so the place of one is kept for each class.
final class StoredProperty: Sendable {
    private let name: String
    private let places = Mutex<[ObjectIdentifier: Place]>([:])
    /// Bytes from the start of an object of a class to the reference.
    private let offsets = Mutex<[ObjectIdentifier: Int]>([:])

    /// The number of classes above the object's own, and the property's place in that class.
    private struct Place {
        var classes = 0
        var index = 0
    }

    init(_ name: String) { self.name = name }

    /// The object that an object has there; `nil` where there is none.
    ///
    /// Where its reference stands is found once for each class, by what a mirror says: to ask a
    /// mirror takes 23,000 instructions.
    func object<Value: AnyObject>(of object: AnyObject?, as kind: Value.Type) -> Value? {
        guard let object else { return nil }
        let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        let name = ObjectIdentifier(type(of: object))
        if let offset = offsets.withLock({ $0[name] }) {
            guard let place = start.load(fromByteOffset: offset, as: UnsafeRawPointer?.self) else {
                return nil
            }
            return Unmanaged<AnyObject>.fromOpaque(place).takeUnretainedValue() as? Value
        }
        guard let found = value(of: object) as? Value else { return nil }
        let reference = UnsafeRawPointer(Unmanaged.passUnretained(found).toOpaque())
        let offset = squall_place_of_word(start, reference)
        if offset > 0 { offsets.withLock { $0[name] = offset } }
        return found
    }

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
