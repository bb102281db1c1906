import SquallKernel

extension Strategy {
    /// Priorities of tasks and calls, with one to three changes; for bugs of two to four events.
    static let pct = Strategy(
        name: "pct", about: "Random priorities of tasks and calls that change one to three times."
    ) { draw, lesson in
        let depth = 2 + Int(draw.integer(below: 3, at: 1))
        return PriorityChangePoints(
            seed: draw.bits(at: 0), depth: depth, length: max(1, lesson.length))
    }
}
