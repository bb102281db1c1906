import SquallBackend

/// An app that was ended from outside recovers.
struct RecoversFromKill: RaceInvariant {
    let id = "L6"
    let name = "recoversFromKill"
    let claim = "After the app was suspended or killed, its session continues with one refresh."
    let needs: Evidence = [.comeBack]
    let source = "load-science R5; Auth0.swift #490, #763"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            guard let back = comeBack(of: user, in: history) else { return nil }
            let after = history.indices(of: user, .answered, .signedOut, .leaves)
                .filter { $0 > back }
            for index in after {
                let event = history.events[index]
                if event.kind == .leaves { return nil }
                let isLost =
                    event.kind == .signedOut
                    || event.role == .refresh && event.meaning == .signedOut
                guard isLost else { continue }
                return violation(
                    "the session did not survive the app's end", user: user, cause: "signed out",
                    events: [back, index])
            }
            return nil
        }
    }

    private func comeBack(of user: Int, in history: History) -> Int? {
        history.indices(of: user, .meanwhile).last {
            [AttemptReader.restart, AttemptReader.comeBack].contains(
                history.name(history.events[$0].text))
        }
    }
}
