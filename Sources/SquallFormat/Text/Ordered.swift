extension Sequence {
    /// The elements in an order, equal ones as they came; for lists that are seldom sorted.
    ///
    /// `sorted(by:)` is compiled anew for each type, into some 4 KB that take 0.1 s to build. This
    /// sorts numbers of elements, with code that all types share.
    public func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return order(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }

    /// The elements of each key, keys in the order of their first mention; for a few of them.
    public func grouped<Key: Equatable>(
        by key: (Element) -> Key
    ) -> [(key: Key, elements: [Element])] {
        reduce(into: []) { groups, element in
            let own = key(element)
            if let place = groups.firstIndex(where: { $0.key == own }) {
                groups[place].elements.append(element)
            } else {
                groups.append((own, [element]))
            }
        }
    }
}

@inline(never)
func order(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: precedes)
}
