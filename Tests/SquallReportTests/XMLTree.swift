import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A document as Foundation's XML parser understands it; it refuses what is not well-formed.
final class XMLTree: NSObject, XMLParserDelegate {
    /// An element with its text, and all elements below it in the order they begin.
    final class Element {
        let name: String
        let attributes: [String: String]
        fileprivate(set) var text = ""
        fileprivate(set) var children: [Element] = []

        fileprivate init(_ name: String, _ attributes: [String: String]) {
            self.name = name
            self.attributes = attributes
        }

        /// All elements of a name below this one.
        func elements(_ name: String) -> [Element] {
            children.flatMap { ($0.name == name ? [$0] : []) + $0.elements(name) }
        }
    }

    struct Malformed: Error { let reason: String }

    let root = Element("", [:])
    private var open: [Element] = []

    init(_ text: String) throws {
        super.init()
        open = [root]
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else {
            throw Malformed(
                reason:
                    "line \(parser.lineNumber): \(parser.parserError?.localizedDescription ?? "")")
        }
    }

    func elements(_ name: String) -> [Element] { root.elements(name) }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        let element = Element(name, attributes)
        open.last?.children.append(element)
        open.append(element)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        for element in open { element.text += text }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        open.removeLast()
    }
}
