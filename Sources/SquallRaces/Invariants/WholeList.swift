import SquallBackend

/// A list is read without gaps.
struct WholeList: RaceInvariant {
    let id = "S14"
    let name = "wholeList"
    let claim = "A list is shown without an item twice and without a gap."
    let needs: Evidence = [.list]
    let source = "simulation §6.6; journeys-and-data I1; 이책저책 TB-13, Share.D SD-8"

    func violations(in history: History) -> [Violation] {
        history.audits.filter { $0.kind.name.hasPrefix("list.") }.map {
            violation($0.text, user: $0.user, cause: $0.kind.name)
        } + outcomes(in: history)
    }

    private func outcomes(in history: History) -> [Violation] {
        history.events.indices.compactMap { index in
            let event = history.events[index]
            let outcome = history.name(event.text)
            guard event.kind == .actEnded, outcome == "wrong.duplicates" else { return nil }
            return violation(
                "an action ended with \(outcome)", user: event.user, cause: outcome,
                events: [index])
        }
    }
}
