import SquallKernel

extension Strategy {
    /// First in, first out: the order of every ordinary run, and the first schedule of all.
    static let fifo = Strategy(name: "fifo", about: "First in, first out.") { _, _ in
        FirstInFirstOut()
    }
}
