/// A profile that is part of the program, so that it can be asked for anywhere.
///
/// The texts are those of `Profiles/*.json` and `Profiles/races/*.json`. They are made by
/// `UPDATE_GOLDEN=1 swift test --filter BuiltInProfile`, and a test holds them against the files.
struct BuiltInProfile: Sendable {
    /// The name by which `squall run` knows it.
    let name: String
    /// The whole file.
    let text: String

    static func named(_ name: String) -> BuiltInProfile? {
        (all + races).first { $0.name == name }
    }
}
