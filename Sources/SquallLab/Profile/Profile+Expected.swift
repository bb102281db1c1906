import SquallApps
import SquallFormat
import SquallReport

/// Rules between expectations and populations.
extension Profile {
    /// Refuses an expectation of a population, app, journey or step that does not occur: it would
    /// hold or fail whatever the run does.
    func checkExpectations(read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        guard read.isSound("populations") else { return }
        let apps = Set(populations.map(\.app)).compactMap(vocabulary.app(named:))
        let journeys = apps.flatMap(\.journeys)
        var seen: Set<String> = []
        for metric in expectations.map(\.metric) where seen.insert(metric).inserted {
            let path = read.path.appending("thresholds").appending(metric)
            guard read.isSound(at: path) else { continue }
            guard let names = try? MetricKey(parsing: metric, among: .installed) else { continue }
            let steps = journeys.filter { names[.journey] == nil || $0.name == names[.journey] }
                .flatMap(\.steps).map(\.name)
            let problem =
                missing("population", names[.population], among: populations.map(\.name))
                ?? missing("app of a population", names[.app], among: apps.map(\.name))
                ?? missing("journey of these apps", names[.journey], among: journeys.map(\.name))
                ?? missing("step of these journeys", names[.step], among: steps)
            if let problem { read.report(.threshold, at: path, problem) }
        }
    }

    private func missing(_ noun: String, _ name: String?, among known: [String]) -> String? {
        guard let name, !known.contains(name) else { return nil }
        let known = Set(known).sorted()
        return "no \(noun) is called '\(name)'." + Spelling.hint(for: name, among: known)
            + Spelling.known(known)
    }
}
