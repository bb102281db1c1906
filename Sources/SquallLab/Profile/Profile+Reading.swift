import SquallFormat

extension Profile {
    /// The largest file that is read, so that a wrong file name does no harm.
    public static let fileSizeLimit = 1 << 20

    /// Reads a profile and checks everything about it that can be checked before a run.
    ///
    /// Problems are reported under the name `file`; the vocabulary says which apps, designs,
    /// journeys and steps there are.
    /// - Throws: every problem there is, in the order of the text.
    public static func read(
        _ bytes: [UInt8], file: String, vocabulary: ProfileVocabulary
    ) throws(InvalidProfile) -> Profile {
        let document = try parse(bytes, file: file)
        var validator = ProfileValidator(vocabulary: vocabulary)
        let values = validator.section(document, Field.profile, at: .root).map {
            validator.related($0)
        }
        guard let values, validator.problems.isEmpty else {
            throw InvalidProfile(problems: validator.problems(in: document, of: file))
        }
        return Profile(values)
    }

    private static func parse(
        _ bytes: [UInt8], file: String
    ) throws(InvalidProfile) -> JSONNode {
        guard bytes.count <= fileSizeLimit else {
            throw InvalidProfile(syntaxProblem: "the file is larger than 1 MiB", file: file)
        }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            throw InvalidProfile(syntaxProblem: error.problem, at: error.place, file: file)
        }
    }
}

extension InvalidProfile {
    fileprivate init(syntaxProblem: String, at place: TextPlace? = nil, file: String) {
        problems = [
            ProfileProblem(
                file: file, line: place?.line, column: place?.column, path: "",
                message: syntaxProblem, label: .syntax)
        ]
    }
}

extension ProfileValidator {
    /// The problems with file and place, in the order of the text.
    fileprivate func problems(in document: JSONNode, of file: String) -> [ProfileProblem] {
        problems.map { problem in
            let place = problem.place ?? problem.path.place(in: document)
            return ProfileProblem(
                file: file, line: place.line, column: place.column, path: problem.path.pointer,
                message: problem.message, label: problem.label)
        }.sorted {
            ($0.line ?? 0, $0.column ?? 0, $0.path) < ($1.line ?? 0, $1.column ?? 0, $1.path)
        }
    }
}
