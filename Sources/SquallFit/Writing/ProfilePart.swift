import SquallFormat

/// A member or an element in the text of a commented profile, with the comment above it.
struct ProfilePart: Sendable {
    private let content: Content
    /// A comment in lines stays as it is written; one in one line is broken where it is too long.
    private let comment: String
    /// Whether a blank line precedes it.
    private let isApart: Bool

    private enum Content: Sendable {
        case line(String)
        case block(start: String, [ProfilePart], end: String)
    }

    private init(_ content: Content, _ comment: String, _ isApart: Bool) {
        (self.content, self.comment, self.isApart) = (content, comment, isApart)
    }

    /// A part on one line.
    init(_ line: String, comment: String = "", isApart: Bool = false) {
        self.init(.line(line), comment, isApart)
    }

    /// An object with a line for each of its parts; an element where the name is nil.
    static func object(
        _ name: String?, comment: String = "", isApart: Bool = false, _ parts: [ProfilePart]
    ) -> ProfilePart {
        let start = (name.map { $0.quoted + ": " } ?? "") + "{"
        return ProfilePart(.block(start: start, parts, end: "}"), comment, isApart)
    }

    /// A list with a line for each of its parts.
    static func list(
        _ name: String, comment: String = "", isApart: Bool = false, _ parts: [ProfilePart]
    ) -> ProfilePart {
        ProfilePart(.block(start: name.quoted + ": [", parts, end: "]"), comment, isApart)
    }

    /// The text of a profile of these parts, below a comment in lines.
    ///
    /// The last section repeats the settings of these key paths that the parts have: they are
    /// assumed as long as both are the same.
    static func profile(
        _ head: String, _ parts: [ProfilePart], assuming paths: [String]
    ) -> String {
        let text = profile(head, parts)
        guard let document = try? JSONParser.parse(Array(text.utf8)) else { return text }
        let assumed = paths.compactMap { path -> ProfilePart? in
            guard let node = SettingPath(path)?.node(in: document) else { return nil }
            return ProfilePart("\(path.quoted): \(JSON(node).line)")
        }
        guard !assumed.isEmpty else { return text }
        return profile(
            head, parts + [.object("assumed", comment: assumedRemark, isApart: true, assumed)])
    }

    private static let assumedRemark = """
        Settings above that were assumed, not measured. A result that depends on one says
        NOT MEASURED. A setting that you change no longer counts as assumed; if a value is
        correct, delete its line here.
        """

    private static func profile(_ head: String, _ parts: [ProfilePart]) -> String {
        let lines = head.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "//" : "// " + $0
        }
        return (lines + ["{"] + Self.lines(of: parts, "  ") + ["}", ""]).joined(separator: "\n")
    }

    private static func lines(of parts: [ProfilePart], _ margin: String) -> [String] {
        parts.enumerated().flatMap { index, part in
            part.lines(margin, comma: index + 1 < parts.count ? "," : "")
        }
    }

    private func lines(_ margin: String, comma: String) -> [String] {
        let start = margin + "// "
        let remark =
            comment.contains("\n")
            ? comment.split(separator: "\n").map { start + $0 }
            : WordWrap.lines(comment, first: start, rest: start)
        let own =
            switch content {
            case .line(let text): [margin + text + comma]
            case .block(let start, let parts, let end):
                [margin + start] + Self.lines(of: parts, margin + "  ") + [margin + end + comma]
            }
        return (isApart ? [""] : []) + remark + own
    }
}

extension String {
    /// The text as a JSON string.
    var quoted: String { JSON.string(self).line }
}
