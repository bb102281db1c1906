public import Foundation

#if canImport(FoundationXML)
    public import FoundationXML
#endif

/// A document as Foundation's XML parser understands it; it refuses what is not well-formed.
public final class XMLTree: NSObject, XMLParserDelegate {
    /// An element with its text, and all elements below it in the order they begin.
    public final class Element {
        /// Its name.
        public let name: String
        /// Its attributes.
        public let attributes: [String: String]
        /// Its text and that of all elements below it.
        public fileprivate(set) var text = ""
        /// Its text without that of the elements below it.
        public fileprivate(set) var ownText = ""
        /// The elements right below it.
        public fileprivate(set) var children: [Element] = []

        fileprivate init(_ name: String, _ attributes: [String: String]) {
            self.name = name
            self.attributes = attributes
        }

        /// All elements of a name below this one.
        public func elements(_ name: String) -> [Element] {
            children.flatMap { ($0.name == name ? [$0] : []) + $0.elements(name) }
        }
    }

    /// Why a text is no document.
    public struct Malformed: Error {
        /// The line, and what is wrong there.
        public let reason: String
    }

    /// Stands above the outermost element.
    public let root = Element("", [:])
    private var open: [Element] = []

    /// The document of a text.
    ///
    /// - Throws: `Malformed`.
    public init(_ text: String) throws {
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

    /// All elements of a name.
    public func elements(_ name: String) -> [Element] { root.elements(name) }

    /// An element begins.
    public func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        let element = Element(name, attributes)
        open.last?.children.append(element)
        open.append(element)
    }

    /// There is text in the elements that are open; a space that joins is a space.
    public func parser(_ parser: XMLParser, foundCharacters text: String) {
        let text = text.replacing("\u{a0}", with: " ")
        for element in open { element.text += text }
        open.last?.ownText += text
    }

    /// An element ends.
    public func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        open.removeLast()
    }
}
