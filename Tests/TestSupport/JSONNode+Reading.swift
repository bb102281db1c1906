public import SquallFormat

extension JSONNode {
    /// The elements of a list; none of anything else.
    public var list: [JSONNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    /// The number.
    public var number: Double? {
        if case .number(let digits) = value { Double(digits) } else { nil }
    }

    /// What stands at the end of a way of members; nil where it breaks off.
    public func at(_ way: String) -> JSONNode? {
        way.split(separator: ".").reduce(self as JSONNode?) { node, name in
            node?[String(name)]
        }
    }
}
