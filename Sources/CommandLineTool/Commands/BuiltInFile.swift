import CBuiltInFiles

/// A file that is part of the program, so that it can be had in any folder.
///
/// Tests compare the lists with the folders.
struct BuiltInFile: Sendable {
    /// Its name for `squall run`, or its path in a starting package.
    let name: String
    /// The whole file.
    let bytes: [UInt8]

    /// The files of `Profiles`, in the order of their names.
    static let profiles = files(squall_profiles())
    /// The files of `Profiles/races`, scenarios of races, sorted by name.
    static let races = files(squall_race_profiles())
    /// The files of a starting package that is called `MyApp`, in the order of writing.
    static let startingPackage = files(squall_starting_package())

    static func profile(named name: String) -> BuiltInFile? {
        (profiles + races).first { $0.name == name }
    }

    private static func files(_ first: UnsafePointer<squall_file>) -> [BuiltInFile] {
        sequence(first: first) { $0.successor() }.prefix { $0.pointee.name != nil }.map {
            BuiltInFile(
                name: String(cString: $0.pointee.name),
                bytes: Array(String(cString: $0.pointee.text).utf8))
        }
    }
}
