import SquallKernel

extension Strategy {
    /// Any of what can run, equally likely.
    static let random = Strategy(
        name: "random", about: "Any of what can run, equally likely."
    ) { draw, _ in RandomSchedule(seed: draw.bits(at: 0)) }
}
