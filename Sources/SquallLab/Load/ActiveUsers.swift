import SquallFormat

/// The number of active users of a closed population over time: straight lines between stages.
///
/// User *k* is active while the line is above *k*, so a falling line sends the newest home first.
struct ActiveUsers: Sendable {
    private let corners: [Corner]

    private struct Corner: Sendable {
        let nanoseconds: Int64
        let users: Double
    }

    /// The line from no users through the stages' ends; it stays at the last.
    ///
    /// Stages that end beyond 292 years end there.
    init(_ stages: [Profile.UserStage]) {
        var corners = [Corner(nanoseconds: 0, users: 0)]
        for stage in stages {
            let start = corners[corners.count - 1].nanoseconds
            corners.append(
                Corner(
                    nanoseconds: start.clampedSum(stage.nanoseconds), users: Double(stage.users)))
        }
        self.corners = corners
    }

    /// The first moment, not before the given one, at which a user is active; `nil` for none.
    func nextActivity(of user: Int, from moment: Int64) -> Int64? {
        let needed = Double(user)
        for (left, right) in zip(corners, corners.dropFirst()) where right.nanoseconds > moment {
            let start = max(left.nanoseconds, moment)
            if level(at: start, left, right) > needed { return start }
            guard right.users > needed else { continue }
            return max(start, crossing(of: needed, left, right))
        }
        guard let last = corners.last, last.users > needed else { return nil }
        return max(moment, last.nanoseconds)
    }

    private func level(at moment: Int64, _ left: Corner, _ right: Corner) -> Double {
        let span = Double(right.nanoseconds - left.nanoseconds)
        let share = span > 0 ? Double(moment - left.nanoseconds) / span : 1
        return left.users + (right.users - left.users) * share
    }

    /// The first nanosecond at which a rising line is above a level.
    private func crossing(of level: Double, _ left: Corner, _ right: Corner) -> Int64 {
        let share = (level - left.users) / (right.users - left.users)
        let span = Double(right.nanoseconds - left.nanoseconds)
        return left.nanoseconds.clampedSum(Int64(clamped: share * span)).clampedSum(1)
    }
}
