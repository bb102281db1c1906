import SquallFormat

/// Resolves a document's references without searching the document for each of them.
///
/// A document of a kilobyte can refer to itself in more ways than there is time to follow. Each
/// object on the way to a target is indexed once, and the work of following references is counted.
final class OpenAPIReferences {
    private let root: JSONNode
    private var members: [String: [String: JSONNode]] = [:]
    private var elements: [String: [JSONNode]] = [:]
    private(set) var stepsLeft = stepsMax

    /// Real documents of a thousand calls take a twentieth of this; all of it takes seconds.
    private static let stepsMax = 10_000_000

    init(_ root: JSONNode) { self.root = root }

    /// Counts the visit of a node: one, plus its size.
    func count(_ node: JSONNode) {
        switch node.value {
        case .object(let members): stepsLeft -= 1 + members.count
        case .array(let elements): stepsLeft -= 1 + elements.count
        default: stepsLeft -= 1
        }
    }

    /// The value at a pointer such as `/components/schemas/Pet`; nil if there is none.
    func node(at pointer: Substring) -> JSONNode? {
        guard let slash = pointer.lastIndex(of: "/") else { return pointer.isEmpty ? root : nil }
        let parent = String(pointer[..<slash])
        if members[parent] == nil, elements[parent] == nil {
            open(node(at: pointer[..<slash]), as: parent)
        }
        let name = pointer[pointer.index(after: slash)...]
            .replacing("~1", with: "/").replacing("~0", with: "~")
        if let list = elements[parent] {
            return Int(name).flatMap { list.indices.contains($0) ? list[$0] : nil }
        }
        return members[parent]?[String(name)]
    }

    private func open(_ node: JSONNode?, as pointer: String) {
        if case .array(let elements)? = node?.value { return self.elements[pointer] = elements }
        let named = node?.members.map { ($0.name, $0.value) } ?? []
        members[pointer] = Dictionary(named) { first, _ in first }
    }
}
