/// The anchors of the page's sections, for links.
enum PageAnchor {
    /// The anchor of a heading.
    static func of(_ title: String) -> String {
        title.lowercased().map { $0.isLetter ? String($0) : "-" }.joined()
    }
}
