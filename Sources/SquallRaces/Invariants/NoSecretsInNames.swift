/// Nothing written about a run contains a token.
struct NoSecretsInNames: RaceInvariant {
    let id = "S16"
    let name = "noSecrets"
    let claim = "No token appears in an address, an error or an outcome."
    let needs: Evidence = [.call]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        // A token of the mint is 61 letters and digits in a row; no other part of a name is.
        history.names.enumerated().compactMap { position, name in
            guard Self.hasToken(name) else { return nil }
            let index = history.events.firstIndex {
                $0.text == position || $0.endpoint == position
            }
            return violation(
                "a token stands in '\(name.prefix(24))…'", user: 0, cause: "name",
                events: index.map { [$0] } ?? [])
        }
    }

    private static let tokenLength = 61

    private static func hasToken(_ name: String) -> Bool {
        guard name.utf8.count >= tokenLength else { return false }
        var run = 0
        for byte in name.utf8 {
            switch byte {
            case 48...57, 65...70, 97...102, UInt8(ascii: "r"): run += 1
            default: run = 0
            }
            if run == tokenLength { return true }
        }
        return false
    }
}
