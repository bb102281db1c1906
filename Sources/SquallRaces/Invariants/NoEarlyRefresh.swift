import SquallBackend

/// A wrong clock does not make a client refresh without end.
struct NoEarlyRefresh: RaceInvariant {
    let id = "S15"
    let name = "noEarlyRefresh"
    let claim = "A token that the server still accepts is not refreshed twice."
    let needs: Evidence = [.refreshAnswer]
    let source = "simulation §6.6; OOTD OO-2, OO-7"

    func violations(in history: History) -> [Violation] {
        history.attempts.compactMap { refresh in
            guard refresh.isRefresh, refresh.status == 409, let end = refresh.ended else {
                return nil
            }
            return violation(
                "\(history.name(ofToken: refresh.replaces)) was refreshed while the server"
                    + " still accepted it", user: refresh.sent.user, cause: "409",
                events: [refresh.sentIndex, end])
        }
    }
}
