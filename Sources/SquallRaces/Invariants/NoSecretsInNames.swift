/// What is written about a run holds no token.
struct NoSecretsInNames: RaceInvariant {
    let id = "S16"
    let name = "noSecrets"
    let claim = "No token stands in an address, an error or an outcome."
    let looksAt = "every name that the run made: addresses, endpoints, errors, outcomes"
    let needs: Evidence = [.call]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        // A token of the mint is 61 letters and digits in a row; nothing else in a name is.
        history.names.enumerated().compactMap { position, name in
            let words = name.split { !$0.isHexDigit && $0 != "r" }
            guard words.contains(where: { $0.count >= 61 }) else { return nil }
            let index = history.events.firstIndex {
                $0.text == position || $0.endpoint == position
            }
            return violation(
                "a token stands in '\(name.prefix(24))…'", user: 0, cause: "name",
                events: index.map { [$0] } ?? [])
        }
    }
}
