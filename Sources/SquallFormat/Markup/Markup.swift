/// A piece of an XML or HTML document; its texts are escaped when it is written.
///
/// The output is well-formed XML and also HTML: elements without content have a closing tag,
/// except for the void elements of HTML.
///
/// ```swift
/// Markup("p", ["class": "note"], [.text("5 < 7")]).source
/// ```
public indirect enum Markup: Sendable {
    /// Text, escaped when it is written.
    case text(String)
    /// An element with its attributes, in order, and its content.
    case element(name: String, attributes: KeyValuePairs<String, String>, content: [Markup])
    /// Style sheets and scripts, which HTML does not unescape; they must not contain `<` or `&`.
    case verbatim(String)

    /// An element.
    public init(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: [Markup] = []
    ) {
        self = .element(name: name, attributes: attributes, content: content)
    }

    /// An element that holds only text.
    public init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ text: String) {
        self.init(name, attributes, [.text(text)])
    }

    /// An element that holds only text and has no attributes.
    public init(_ name: String, _ text: String) {
        self.init(name, [:], [.text(text)])
    }

    /// The text of the piece in a file.
    public var source: String {
        var source = ""
        write(to: &source)
        return source
    }

    private func write(to source: inout String) {
        switch self {
        case .text(let text): source.append(escapingForMarkup: text)
        case .verbatim(let text): source += text
        case .element(let name, let attributes, let content):
            source += "<"
            source += name
            for (attribute, value) in attributes {
                source += " "
                source += attribute
                source += "=\""
                source.append(escapingForMarkup: value)
                source += "\""
            }
            guard !Markup.withoutContent.contains(name) else { return source += "/>" + end(name) }
            source += ">"
            for piece in content { piece.write(to: &source) }
            source += "</"
            source += name
            source += Markup.inline.contains(name) ? ">" : ">\n"
        }
    }

    /// Ends a line where white space has no meaning, so that files can be read and compared.
    private func end(_ name: String) -> String { Markup.inline.contains(name) ? "" : "\n" }

    private static let withoutContent: Set = [
        "meta", "br", "col", "path", "line", "rect", "circle", "polyline", "property",
    ]

    private static let inline: Set = [
        "a", "abbr", "b", "br", "code", "em", "i", "span", "strong", "sub", "sup", "td", "time",
    ]
}
