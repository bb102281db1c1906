public import SquallFormat

/// The contract's protocols by the year in which they were used.
///
/// One server can speak both at once: they share all state.
public enum ContractYear: String, CaseIterable, Sendable {
    /// The protocol of November 2023: `_id`, `token`, a like that toggles, no payments.
    case year2023 = "2023"
    /// The protocol of August 2024: two independent likes, uploads of their own, payments.
    case year2024 = "2024"
}

extension ContractYear {
    /// The address of the year's server; the real projects' ports were never published.
    var origin: String {
        self == .year2023 ? "http://lslp.sesac.kr:27812" : "http://lslp.sesac.kr:31222"
    }

    /// The largest size of an uploaded file.
    var fileBytesMax: Int { self == .year2023 ? 10 * 1_048_576 : 5 * 1_048_576 }

    /// The names of members in the year's responses.
    var keys: AnswerKeys { self == .year2023 ? .year2023 : .year2024 }
}

/// The names of those members of responses that changed from one year to the next.
struct AnswerKeys {
    let userID, postID, commentID: StaticString
    let accessToken, createdAt, files, profileImage: StaticString

    static let year2023 = AnswerKeys(
        userID: "_id", postID: "_id", commentID: "_id", accessToken: "token", createdAt: "time",
        files: "image", profileImage: "profile")

    static let year2024 = AnswerKeys(
        userID: "user_id", postID: "post_id", commentID: "comment_id",
        accessToken: "accessToken", createdAt: "createdAt", files: "files",
        profileImage: "profileImage")
}

extension ContractYear {
    /// The years as a setting of a profile's backend.
    public static let setting = Setting(
        "generation",
        SettingFormat.words(allCases.map(\.rawValue) + ["both"]).map { word in
            allCases.filter { word == "both" || word == $0.rawValue }
        }, otherwise: "2024",
        "Which protocols the server speaks: OOTD's, that of the other apps, or both at once.")
}
