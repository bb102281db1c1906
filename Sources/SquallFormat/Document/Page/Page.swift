/// A page that needs no network, no script and no wide screen; also well-formed XML.
public struct Page {
    private let title: String
    private let main: [Markup]
    /// How often a browser loads it again; nil for a page that does not change.
    private let refreshSeconds: Int?

    /// A page with the window's title and its content; a browser loads it again after so many
    /// seconds, where some are given.
    public init(_ title: String, _ main: [Markup], refreshSeconds: Int? = nil) {
        self.title = title + " · Squall"
        self.main = main
        self.refreshSeconds = refreshSeconds
    }

    /// The whole file.
    public var html: String {
        let head = Markup(
            "head", [:],
            [
                Markup("meta", ["charset": "utf-8"]),
                Markup(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                Markup("meta", ["name": "color-scheme", "content": "light dark"]),
                Markup("title", title),
                Markup("style", [:], [.verbatim(PageStyle.source)]),
            ]
                + (refreshSeconds.map {
                    [Markup("meta", ["http-equiv": "refresh", "content": "\($0)"])]
                } ?? []))
        let body = Markup(
            "body", [:],
            [
                Markup("main", [:], main), Markup("script", [:], [.verbatim(PageScript.source)]),
            ])
        return "<!DOCTYPE html>\n" + Markup("html", ["lang": "en"], [head, body]).source
    }

    /// Links to the sections that have content.
    public static func contents(_ sections: [Section]) -> Markup {
        let links = sections.filter(\.isShown).map { section in
            Markup("a", ["href": "#\(PageAnchor.of(section.title))"], section.title)
        }
        return Markup("nav", ["aria-label": "Contents"], links)
    }

    /// Names with their values, side by side.
    public static func list(
        _ kind: String, _ entries: [(name: String, value: Markup)]
    ) -> Markup {
        Markup(
            "dl", ["class": kind],
            entries.map { name, value in
                Markup("div", [:], [Markup("dt", name), Markup("dd", [:], [value])])
            })
    }
}
