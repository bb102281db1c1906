import SquallLab

extension ProfileVocabulary {
    /// Two small apps with names of their own.
    static let sample = ProfileVocabulary(
        apps: [
            App(
                name: "scrolly", designs: ["asBuilt", "singleFlight"],
                journeys: [
                    Journey(name: "read", steps: ["launch", "episode"]),
                    Journey(name: "pay", steps: ["launch", "charge"]),
                ]),
            App(
                name: "books", designs: ["asBuilt"],
                journeys: [Journey(name: "browse", steps: ["launch", "list"])]),
        ], endpoints: ["login", "posts", "refresh"])
}

extension Profile {
    static func reading(_ text: String) throws(InvalidProfile) -> Profile {
        try read(Array(text.utf8), file: "Profiles/x.json", vocabulary: .sample)
    }

    /// A profile with nothing but what is required, and whatever is inserted.
    static func sample(_ settings: String = "", population: String = "") -> String {
        """
        {
          "schemaVersion": 1, \(settings)
          "populations": [{ "users": 100, "journeys": { "read": 1 }, \(population) }],
        }
        """
    }
}
