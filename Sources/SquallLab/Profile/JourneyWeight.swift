import SquallApps
import SquallFormat

extension Profile {
    /// A journey and how often it is chosen, in proportion to the weights of the others.
    public struct JourneyWeight: Hashable, Sendable {
        /// The journey's name.
        public let journey: String
        /// Its weight; positive.
        public let weight: Double
    }
}

extension Profile.JourneyWeight {
    /// Journeys with their weights, in the file's order; of any app where it is unknown.
    static func format(
        _ app: AppDescription?, _ vocabulary: ProfileVocabulary
    ) -> SettingFormat<[Profile.JourneyWeight]> {
        SettingFormat(
            describe: {
                SettingShape(
                    "object of journeys with weights", schema(vocabulary),
                    .each(vocabulary.journeys, .numbers(1...1_000_000)))
            },
            placeholder: { [] }
        ) { node, path, problems in
            guard case .object(let members) = node.value, !members.isEmpty else {
                problems.report(
                    .wrongType, at: path,
                    "\(path) must be an object of journeys with weights, got \(node.summary)")
                return nil
            }
            return members.compactMap { weight($0, of: app, at: path, &problems) }
        }
    }

    private static func weight(
        _ member: JSONNode.Member, of app: AppDescription?, at path: SettingPath,
        _ problems: inout SettingProblems
    ) -> Profile.JourneyWeight? {
        guard !problems.isFull else { return nil }
        let path = path.appending(member.name)
        let known = app?.journeys.map(\.name)
        if let app, let known, !known.contains(member.name) {
            let hint = Spelling.hint(for: member.name, among: known)
            problems.report(
                .unknownName, at: path,
                "\(path) is not a journey of \(app.name).\(hint)"
                    + Spelling.known(known),
                place: member.place)
        }
        guard case .number(let text) = member.value.value, let weight = Double(text), weight > 0,
            weight <= 1_000_000
        else {
            problems.report(
                .outOfRange, at: path,
                "\(path) must be above 0 and at most 1 000 000, got \(member.value.summary)")
            return nil
        }
        return Profile.JourneyWeight(journey: member.name, weight: weight)
    }

    private static func schema(_ vocabulary: ProfileVocabulary) -> [String: JSON] {
        let weight: JSON = ["type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000]
        return [
            "type": "object", "minProperties": 1, "additionalProperties": .bool(false),
            "properties": .object(
                Dictionary(uniqueKeysWithValues: vocabulary.journeys.map { ($0, weight) })),
        ]
    }
}
