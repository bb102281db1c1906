@testable import SquallApps
import SquallLab

extension ProfileVocabulary {
    /// Two small apps with names of their own.
    static let sample = ProfileVocabulary(
        apps: [
            AppDescription(
                "scrolly", designs: ["asBuilt", "singleFlight"],
                journeys: ["read": ["launch", "episode"], "pay": ["launch", "charge"]]),
            AppDescription(
                "books", designs: ["asBuilt"], journeys: ["browse": ["launch", "list"]]),
        ], endpoints: ["login", "posts", "refresh"])
}

extension AppDescription {
    /// An app that exists only by its names.
    fileprivate init(
        _ name: String, designs: [String], journeys: KeyValuePairs<String, [String]>
    ) {
        self.init(
            name: name, about: "", designs: designs,
            journeys: journeys.map { JourneyDescription($0.key, steps: $0.value) }, origin: "",
            callKinds: []
        ) { _, _ in preconditionFailure("\(name) has only names") }
    }
}

extension JourneyDescription {
    /// A journey whose steps are always taken.
    init(_ name: String, steps: [String], goal: Goal? = nil) {
        self.init(
            name: name, about: "", goal: goal, launch: .start,
            steps: steps.map {
                StepDescription(name: $0, probability: 1, leadsOn: false, condition: .always)
            })
    }
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
