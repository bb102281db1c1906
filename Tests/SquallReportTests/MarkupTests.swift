import SquallFormat
import TestSupport
import Testing

@Suite("Markup")
struct MarkupTests {
    @Test("Text and attributes read back as they were, whatever they hold")
    func escaping() throws {
        let text = "<a href=\"x\">&amp; 'q' 줄</a>"
        let element = try XMLTree(Markup("p", ["class": text], text).source).elements("p").first
        #expect(element?.text == text)
        #expect(element?.attributes["class"] == text)
    }

    @Test("Only elements that HTML knows without content are closed in themselves")
    func closing() {
        #expect(Markup("p").source == "<p></p>\n")
        #expect(Markup("br").source == "<br/>")
        #expect(Markup("path", ["d": "M0 0"]).source == "<path d=\"M0 0\"/>\n")
    }

    @Test("Attributes stay in the order they were given")
    func order() {
        #expect(Markup("a", ["z": "1", "b": "2"], "").source == "<a z=\"1\" b=\"2\"></a>")
    }
}
