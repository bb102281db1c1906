import SquallFormat

extension Profile {
    /// A setting that a draft or a fit wrote without a measurement behind it.
    ///
    /// The profile file keeps the assumed value beside the path, so a setting that a user changes
    /// where it stands is assumed no more, without a word in the profile.
    public struct Assumed: Hashable, Sendable {
        /// Its key path as people write it.
        public let path: String
        private let value: JSON

        /// The value in a few words.
        var text: String {
            switch value {
            case .string(let text): text
            case .array: "as drafted"
            default:
                value.line.replacing("\"", with: "").replacing(/[{}]/, with: "")
                    .replacing(":", with: " ").replacing(",", with: ", ").excerpt(26)
            }
        }
    }

    /// A document whose list of assumed settings is this profile's.
    func assumedWritten(in document: JSONNode) -> JSONNode {
        guard let node = document["assumed"], case .object(let members) = node.value else {
            return document
        }
        let kept = members.filter { member in assumed.contains { $0.path == member.name } }
        let list = JSONNode(value: .object(kept), place: node.place)
        return document.replacing(SettingPath.root.appending("assumed"), with: list) ?? document
    }
}

extension Profile.Assumed {
    /// Key paths of settings, each with the value that was assumed, in the file's order.
    static let format = SettingFormat<[Profile.Assumed]>(
        describe: {
            SettingShape("object of key paths, each with the value assumed", ["type": "object"])
        }, placeholder: { [] }
    ) { node, path, problems in
        guard let members = node.members(at: path, &problems) else { return nil }
        return members.map { Profile.Assumed(path: $0.name, value: JSON($0.value)) }
    }

    /// Reports a name that is no key path.
    func check(_ problems: inout SettingProblems) {
        guard SettingPath(path) == nil else { return }
        let place = SettingPath.root.appending("assumed").appending(path)
        problems.report(
            .unknownName, at: place,
            "\(place) must be a key path, as backend.server.serviceTime")
    }

    /// Whether a document still has the assumed value, and no override gave one.
    func stands(in document: JSONNode, _ overrides: [ProfileOverride]) -> Bool {
        guard let path = SettingPath(path), let node = path.node(in: document) else { return false }
        return JSON(node) == value && !overrides.contains { $0.sets(path) }
    }

    /// Whether it says how many users there are or how often they come.
    public var isOfLoad: Bool {
        path.hasPrefix("populations[") && (path.hasSuffix(".users") || path.contains("].load"))
    }
}
