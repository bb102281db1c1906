import SquallApps
import SquallFormat
import SquallRaces

extension Profile {
    /// Refuses acts of users and of steps that do not exist.
    func checkExploration(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        guard let explore else { return }
        for (index, act) in explore.acts.enumerated() {
            let path = read.path.appending("explore").appending("acts").appending(index)
            guard read.isSound(at: path), read.isSound("populations") else { continue }
            guard let population = population(of: act.user) else {
                read.refuse(
                    path.appending("user"),
                    "must be below \(Units.grouped(users)), the number of users,"
                        + " got \(act.user)")
                continue
            }
            let ahead = Int64(act.aheadNanoseconds.magnitude)
            if act.kind == .clock, !(1...Span.century).contains(ahead) {
                read.refuse(
                    path.appending("what"),
                    "must be a duration such as \"10m\" or \"-10m\", of at most"
                        + " \(Units.exact(nanoseconds: Span.century)), got \"\(act.what)\"")
            }
            if act.kind == .call, act.what.isEmpty {
                read.refuse(
                    path.appending("what"),
                    "must be the kind of call, such as \"read\"; it is missing")
            }
            guard let known = vocabulary.app(named: population.app)?.journeys else { continue }
            let names =
                switch act.kind {
                case .journey: known.map(\.name)
                case .step:
                    known.flatMap { journey in journey.steps.map { "\(journey.name).\($0.name)" } }
                default: [String]()
                }
            let needsName = act.kind == .journey || act.kind == .step
            guard needsName, !names.contains(act.what) else { continue }
            read.report(
                .unknownName, at: path.appending("what"),
                "\(path).what is no \(act.kind.rawValue) of \(population.app), got"
                    + " \"\(act.what)\".\(Spelling.hint(for: act.what, among: names))")
        }
    }

    private func population(of user: Int) -> Population? {
        var first = 0
        for population in populations {
            first += Int(population.users)
            if user < first { return population }
        }
        return nil
    }
}
