import SquallKernel

/// Plays every schedule up to a number of departures.
extension Explorer {
    /// A departure from first in, first out.
    private struct Step: Sendable {
        let position: Int
        let choice: UInt16
    }

    /// A schedule by its departures, none of which can be left out.
    private typealias Node = [Step]

    /// Plays all schedules without a departure, then all with one, and so on.
    ///
    /// Each is played once: it extends a schedule with one departure less, behind that one's last.
    func exhaust(
        _ subject: any RaceSubject, _ deviations: Int, since start: Int64,
        _ state: inout ExplorationState
    ) throws {
        var level: [Node] = [[]]
        var number = 0
        for depth in 0...deviations {
            var next: [Node] = []
            var begin = 0
            while begin < level.count {
                let round = Explorer.round(after: number, longest: state.lesson.length)
                let left = max(1, plan.schedules - number)
                let end = min(begin + min(round, left), level.count)
                let nodes = Array(level[begin..<end])
                let window = plan.windowNanoseconds
                let played = try play(nodes.count, since: start, after: number) { index in
                    try subject.play(
                        Schedule(
                            ReplayedSchedule(Explorer.choices(nodes[index])),
                            windowNanoseconds: window, keepsHistory: nodes[index].isEmpty))
                }
                for (node, played) in zip(nodes, played) {
                    let played = state.note(played, number: number)
                    number += 1
                    // One more than may ever be played, because a level that is cut never ends.
                    let room = plan.schedules - number - next.count + 1
                    if let played, depth < deviations, room > 0 {
                        next += children(of: node, played.widths).prefix(room)
                    }
                }
                begin += played.count
                let isLast = depth == deviations && begin == level.count
                guard isToGoOn(since: start, &state, whole: isLast), number < plan.schedules
                else {
                    state.exploration.isWhole = isLast
                    if isLast { state.exploration.exhausted = depth }
                    return
                }
            }
            state.exploration.exhausted = depth
            level = next
        }
    }

    private func children(of node: Node, _ widths: [UInt16]) -> [Node] {
        let first = (node.last?.position ?? -1) + 1
        guard first < widths.count else { return [] }
        return (first..<widths.count).flatMap { position in
            (1..<max(1, widths[position]) as Range<UInt16>).map {
                node + [Step(position: position, choice: $0)]
            }
        }
    }

    private static func choices(_ node: Node) -> [UInt16] {
        var choices = Array(repeating: UInt16(0), count: (node.last?.position ?? -1) + 1)
        for step in node { choices[step.position] = step.choice }
        return choices
    }
}
