/// Where parts of the page are found by links.
enum PageAnchor {
    /// The anchor of a heading.
    static func of(_ title: String) -> String {
        title.lowercased().map { $0.isLetter ? String($0) : "-" }.joined()
    }
}
