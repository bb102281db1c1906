import SquallFormat
import SquallLab

extension DraftService {
    /// The service without parts that are invalid in a profile; remarks name those parts.
    ///
    /// - Throws: what is wrong with the profile where nothing can be left out.
    func valid(in vocabulary: ProfileVocabulary) throws(InvalidProfile) -> DraftService {
        var draft = self
        while true {
            do throws(InvalidProfile) {
                _ = try Profile.read(
                    Array(StartingProfile.text(for: "draft", service: draft).utf8),
                    file: "the draft", vocabulary: vocabulary)
                return draft
            } catch {
                guard draft.leaveOut(error.problems) else { throw error }
            }
        }
    }

    /// Removes the parts that problems are about; false if nothing, or everything, would go.
    private mutating func leaveOut(_ problems: [ProfileProblem]) -> Bool {
        let before = self
        for problem in problems.reversed() {
            let steps = problem.path.split(separator: "/")
            guard steps.count > 2, steps.starts(with: ["backend", "service"]) else { continue }
            if steps[2] == "endpoints", steps.count > 3 {
                // From the last to the first, and each once: an endpoint may have several problems.
                guard let index = Int(steps[3]), before.endpoints.indices.contains(index),
                    endpoints.indices.contains(index), endpoints[index] == before.endpoints[index]
                else { continue }
                endpoints.remove(at: index)
            } else if steps[2] == "origin" {
                origin = DraftService.example.origin
            } else {
                settings.removeAll { $0.hasPrefix(String(steps[2]).quoted) }
            }
            remarks.append(
                "Left out, since no profile can have it: \(problem.message.excerpt(200))")
        }
        guard !endpoints.isEmpty, self != before else { return false }
        if endpoints != before.endpoints { (screens, journeys) = OpenAPIScreens(endpoints).all }
        return endpoints != before.endpoints || settings != before.settings
            || origin != before.origin
    }
}
