public import SquallFormat

extension Profile {
    /// The largest file that is read, so that a wrong file name is harmless.
    public static let fileSizeLimit = 1 << 20

    /// Reads a profile and checks everything about it that can be checked before a run.
    ///
    /// Problems are reported under the name `file`; the vocabulary has the known apps, designs,
    /// journeys and steps. Overrides replace the file's settings, and are checked alike.
    /// - Throws: all problems, in the order of the text.
    public static func read(
        _ bytes: [UInt8], file: String, vocabulary: ProfileVocabulary,
        overrides: [ProfileOverride] = []
    ) throws(InvalidProfile) -> Profile {
        try reading(bytes, file: file, vocabulary: vocabulary, overrides: overrides).profile
    }

    /// The profile and its complete document: overrides applied, comments left out.
    ///
    /// - Throws: all problems, in the order of the text.
    public static func reading(
        _ bytes: [UInt8], file: String, vocabulary: ProfileVocabulary,
        overrides: [ProfileOverride] = []
    ) throws(InvalidProfile) -> (profile: Profile, document: JSONNode) {
        var document = try parse(bytes, file: file)
        var problems = SettingProblems()
        for override in overrides where !override.isOverridden(by: overrides) {
            document = override.applied(to: document, settings(vocabulary), &problems)
        }
        var profile = format(vocabulary.extended(by: document)).value(of: document, &problems)
        profile.checkWindows(overrides.last { $0.runNanoseconds != nil }, &problems)
        for fitted in profile.fitted { fitted.check(in: document, &problems) }
        for assumed in profile.assumed { assumed.check(&problems) }
        guard problems.all.isEmpty else {
            throw InvalidProfile(problems, in: document, of: file, overrides)
        }
        profile.assumed.removeAll { !$0.stands(in: document, overrides) }
        return (profile, profile.assumedWritten(in: document))
    }

    /// The table of settings.
    public static func settings(_ vocabulary: ProfileVocabulary) -> [SettingRow] {
        vocabulary.table.value { format(vocabulary).shape.inner.settings }
    }

    private static func format(_ vocabulary: ProfileVocabulary) -> SettingFormat<Profile> {
        .section { Profile(&$0, vocabulary) }
    }

    static func parse(
        _ bytes: [UInt8], file: String
    ) throws(InvalidProfile) -> JSONNode {
        guard bytes.count <= fileSizeLimit else {
            throw InvalidProfile(syntaxProblem: "the file is larger than 1 MiB", file: file)
        }
        do throws(JSONSyntaxError) {
            return try JSONNode.reading(bytes)
        } catch {
            throw InvalidProfile(syntaxProblem: error.problem, at: error.place, file: file)
        }
    }
}

extension Profile {
    /// The profile that sets nothing, without populations.
    static func standard(_ vocabulary: ProfileVocabulary) -> Profile {
        format(vocabulary).placeholder()
    }
}

extension Profile.Population {
    /// The habits of a population that sets nothing; it has no users and no journeys.
    static func standard(_ vocabulary: ProfileVocabulary) -> Profile.Population {
        SettingFormat.section { Profile.Population(&$0, vocabulary) }.placeholder()
    }
}

extension InvalidProfile {
    fileprivate init(syntaxProblem: String, at place: TextPlace? = nil, file: String) {
        count = 1
        problems = [
            ProfileProblem(
                file: file, line: place?.line, column: place?.column, path: "",
                message: syntaxProblem, label: .syntax, isOverride: false)
        ]
    }

    /// The problems with file and place, in the order of the text.
    fileprivate init(
        _ found: SettingProblems, in document: JSONNode, of file: String,
        _ overrides: [ProfileOverride]
    ) {
        count = found.count
        problems = found.all.map { problem in
            // A key that nobody else wrote came with what was set below it.
            let override = overrides.last {
                $0.path.leads(to: problem.path)
                    || problem.label == .unknownKey && problem.path.leads(to: $0.path)
            }
            let place = problem.place ?? problem.path.place(in: document)
            return ProfileProblem(
                file: override?.text ?? file, line: override == nil ? place.line : nil,
                column: override == nil ? place.column : nil, path: problem.path.pointer,
                message: problem.message, label: problem.label, isOverride: override != nil)
        }.sorted {
            ($0.line ?? 0, $0.column ?? 0, $0.path) < ($1.line ?? 0, $1.column ?? 0, $1.path)
        }
    }
}

extension Profile {
    /// A document changed to this profile's seed, duration, number of users and assumed settings.
    ///
    /// Both have the same populations and stages, as after ``scaled(toUsers:)``.
    public func written(in document: JSONNode) -> JSONNode {
        var changed = assumedWritten(in: document)
        func put(_ value: JSON, at path: SettingPath) {
            changed = changed.replacing(path, with: JSONNode(value)) ?? changed
        }
        put(.unsigned(seed), at: .root.appending("seed"))
        put(.string(Units.exact(nanoseconds: durationNanoseconds)), at: .root.appending("duration"))
        for (index, population) in populations.enumerated() {
            let path = SettingPath.root.appending("populations").appending(index)
            put(.integer(population.users), at: path.appending("users"))
            guard case .closed(_, let stages) = population.load else { continue }
            let list = path.appending("load").appending("closed").appending("stages")
            for (stage, plan) in stages.enumerated() {
                put(.integer(plan.users), at: list.appending(stage).appending("users"))
            }
        }
        return changed
    }
}
