import SquallFit
import SquallFormat
import SquallLab

/// A profile that is made of an API's document, where a command is given one instead of a profile.
struct DraftedProfile {
    /// The draft, without parts that no profile can have.
    let draft: ProfileDraft
    /// The text, with its comments.
    let text: String

    /// The name of the draft among a run's results.
    static let name = "draft.json"

    /// Drafts a profile from the bytes and leaves out, part by part, what no profile can have.
    ///
    /// - Throws: what is wrong with the document, with its place.
    init(
        _ bytes: [UInt8], of path: String, tokenCalls: [String: String] = [:],
        _ vocabulary: ProfileVocabulary
    ) throws {
        var draft: ProfileDraft
        do {
            draft = try ProfileDraft(openAPI: bytes, file: path, tokenCalls: tokenCalls)
        } catch let error as OpenAPIError {
            throw CommandFailure.invalid(error.description)
        }
        while true {
            let text = draft.text(for: Self.name)
            do throws(InvalidProfile) {
                _ = try Profile.read(
                    Array(text.utf8), file: "the draft", vocabulary: vocabulary)
                (self.draft, self.text) = (draft, text)
                return
            } catch {
                guard draft.leaveOut(error.problems.map { ($0.path, $0.message) }) else {
                    throw CommandFailure.invalid(
                        "no profile can have what \(path) describes:\n\(error)")
                }
            }
        }
    }

    /// True for a text that is an API's document and no profile.
    static func isMeant(by bytes: [UInt8]) -> Bool {
        guard let node = try? JSONNode.reading(bytes) else { return false }
        return node["openapi"] != nil || node["swagger"] != nil
    }

    /// The guesses of the draft, in lines.
    var guesses: [String] {
        let lines = draft.remarks.flatMap {
            WordWrap.lines($0.visible, first: "· ", rest: "  ")
        }
        return lines.isEmpty ? [] : ["Guessed; please check:"] + lines
    }
}
