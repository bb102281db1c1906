import SquallFormat

/// A member or an element in the text of a commented profile, with the comment above it.
struct ProfilePart: Sendable {
    /// Its name; nil for an element.
    let name: String?
    let content: Content
    /// A comment in lines stays as it is written; one in one line is broken where it is too long.
    let comment: String
    /// True if a blank line precedes it.
    let isApart: Bool

    enum Content: Sendable {
        case line(ProfileValue)
        case object([ProfilePart])
        case list([ProfilePart])
    }
}

extension ProfilePart {
    /// A part on one line; an element where the name is nil.
    init(
        _ name: String?, _ value: ProfileValue, comment: String = "", isApart: Bool = false
    ) {
        self.init(name: name, content: .line(value), comment: comment, isApart: isApart)
    }

    /// An object with a line for each of its parts; an element where the name is nil.
    static func object(
        _ name: String?, comment: String = "", isApart: Bool = false, _ parts: [ProfilePart]
    ) -> ProfilePart {
        ProfilePart(name: name, content: .object(parts), comment: comment, isApart: isApart)
    }

    /// A list with a line for each of its parts.
    static func list(
        _ name: String, comment: String = "", isApart: Bool = false, _ parts: [ProfilePart]
    ) -> ProfilePart {
        ProfilePart(name: name, content: .list(parts), comment: comment, isApart: isApart)
    }

    /// A line for each member.
    static func lines(_ members: [ProfileValue.Member]) -> [ProfilePart] {
        members.compactMap { name, value in value.map { ProfilePart(name, $0) } }
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
            return ProfilePart(path, ProfileValue(json: JSON(node).line))
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
        let head = margin + (name.map { "\(JSON.string($0).line): " } ?? "")
        func block(_ start: String, _ parts: [ProfilePart], _ end: String) -> [String] {
            [head + start] + Self.lines(of: parts, margin + "  ") + [margin + end + comma]
        }
        let own =
            switch content {
            case .line(let value): [head + value.json + comma]
            case .object(let parts): block("{", parts, "}")
            case .list(let parts): block("[", parts, "]")
            }
        return (isApart ? [""] : []) + remark + own
    }
}
