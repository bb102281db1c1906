import SquallKernel

extension Strategy {
    /// A random priority for each thing that can run.
    static let pos = Strategy(
        name: "pos", about: "A random priority for each thing that can run."
    ) { draw, _ in PrioritySampling(seed: draw.bits(at: 0)) }
}
