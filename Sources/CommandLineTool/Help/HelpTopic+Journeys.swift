import SquallApps
import SquallFormat

extension HelpTopic {
    /// What users do in each app.
    static let journeys = HelpTopic(name: "journeys") { _ in
        let intro =
            "What people do in each app. A population names its app, one of its designs and the"
            + " weights of its journeys. Journeys fit the app they stand under. A profile may"
            + " declare apps of its own, in /apps: squall new writes one to begin with."
        let apps = AppRegistry.all.flatMap { app -> [String] in
            let head = Prose.lines(app.about, first: "\(app.name): ", rest: "  ")
            let designs = "designs: \(app.designs.joined(separator: ", "))"
            let journeys = app.journeys.map { journey in
                let steps = journey.steps.map(\.name).joined(separator: ", ")
                let deed = journey.deed.map { " Its goal is the step \($0.step)." } ?? ""
                return (journey.name, "\(journey.about)\(deed) Steps: \(steps).")
            }
            return [""] + head + Prose.lines(designs, first: "  ", rest: "    ")
                + Prose.definitions(journeys)
        }
        return (Prose.lines(intro) + apps).lines
    }
}
