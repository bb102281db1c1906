import SquallKernel

extension Strategy {
    /// A schedule that led to something new, with up to five choices changed or left out.
    static let mutation = Strategy(
        name: "mutation", about: "Changes of schedules that led the server to something new."
    ) { draw, lesson in
        guard !lesson.corpus.isEmpty else { return PrioritySampling(seed: draw.bits(at: 0)) }
        let parent = Int(draw.integer(below: UInt64(lesson.corpus.count), at: 1))
        var choices = lesson.corpus[parent]
        let changes = 1 + draw.integer(below: 5, at: 2)
        for change in 0..<changes where !choices.isEmpty {
            let place = Int(draw.integer(below: UInt64(choices.count), at: 3 + change * 3))
            let value = draw.integer(below: 6, at: 4 + change * 3)
            if draw.chance(0.2, at: 5 + change * 3) {
                choices.remove(at: place)
            } else {
                choices[place] = UInt16(value)
            }
        }
        return ReplayedSchedule(choices)
    }
}
