/// A value on its way to being a form: text, a list, or named values in order.
final class FormNode {
    enum Value {
        case nothing
        case string(String)
        case array([FormNode])
        case object([(key: String, node: FormNode)])

        var kind: String {
            switch self {
            case .nothing: "nothing"
            case .string: "string"
            case .array: "array"
            case .object: "object"
            }
        }
    }

    var value = Value.nothing

    /// A new place at the end of this list.
    func appendElement() -> FormNode {
        var elements: [FormNode] = []
        if case .array(let present) = value { elements = present }
        let node = FormNode()
        value = .array(elements + [node])
        return node
    }

    /// The place of a name; each name has one, which is made at its first use.
    func child(named key: String) -> FormNode {
        var pairs: [(key: String, node: FormNode)] = []
        if case .object(let present) = value { pairs = present }
        if let present = pairs.first(where: { $0.key == key }) { return present.node }
        let node = FormNode()
        value = .object(pairs + [(key, node)])
        return node
    }

    /// Turns a place that holds nothing yet into a list or a group of names.
    func become(_ container: Value) {
        if case .nothing = value { value = container }
    }
}

/// Writes a tree of values as pairs joined by ampersands.
struct FormSerializer {
    let options: URLEncodedFormEncoder

    func text(of pairs: [(key: String, node: FormNode)]) -> String {
        joined(pairs.compactMap { text(of: $0.node, named: $0.key) }) ?? ""
    }

    /// The pairs of a value; `nil` when nothing was encoded for it.
    private func text(of node: FormNode, named key: String) -> String? {
        switch node.value {
        case .nothing: nil
        case .string(let string):
            escaped(options.keyEncoding.encode(key)) + "=" + escaped(string)
        case .array(let elements):
            joined(
                elements.enumerated().compactMap { index, element in
                    text(of: element, named: options.arrayEncoding.name(key, at: index))
                })
        case .object(let pairs):
            joined(
                pairs.compactMap { pair in
                    text(of: pair.node, named: key + options.keyPathEncoding.suffix(pair.key))
                })
        }
    }

    private func joined(_ segments: [String]) -> String? {
        guard !segments.isEmpty else { return nil }
        return (options.alphabetizesPairs ? segments.sorted() : segments).joined(separator: "&")
    }

    private func escaped(_ text: String) -> String {
        let space = UInt8(ascii: " ")
        let escaped = text.percentEncoded { options.isAllowed($0) || $0 == space }
        return escaped.split(separator: " ", omittingEmptySubsequences: false)
            .joined(separator: options.spaceEncoding.rawValue)
    }
}
