import SquallLab

extension Profile {
    /// Reads a profile of the apps at hand.
    static func read(_ text: String) throws(InvalidProfile) -> Profile {
        try read(Array(text.utf8), file: "test", vocabulary: .installed)
    }

    /// A hundred readers, and whatever is inserted.
    static func minimal(_ settings: String = "", population: String = "") -> String {
        """
        { "schemaVersion": 1, \(settings)
          "populations": [{ "users": 100, "journeys": { "read": 1 }, \(population) }] }
        """
    }
}
