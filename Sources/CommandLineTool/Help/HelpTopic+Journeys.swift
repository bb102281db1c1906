import SquallApps
import SquallFormat

extension HelpTopic {
    /// The journeys of users in each app.
    static let journeys = HelpTopic(name: "journeys") { _ in
        let intro =
            "The journeys of each app. A population names its app, one of the app's designs and the"
            + " weights of its journeys. A profile may declare apps of its own in /apps; squall new"
            + " writes an example."
        let apps = AppRegistry.all.flatMap { app -> [String] in
            let head = WordWrap.lines(app.about, first: "\(app.name): ", rest: "  ")
            let designs = "designs: \(app.designs.joined(separator: ", "))"
            let journeys = app.journeys.map { journey in
                let steps = journey.steps.map(\.name).joined(separator: ", ")
                let goal = journey.goal.map { " Its goal is the step \($0.step)." } ?? ""
                return (journey.name, "\(journey.about)\(goal) Steps: \(steps).")
            }
            return [""] + head + WordWrap.lines(designs, first: "  ", rest: "    ")
                + WordWrap.definitions(journeys)
        }
        return (WordWrap.lines(intro) + apps).lines
    }
}
