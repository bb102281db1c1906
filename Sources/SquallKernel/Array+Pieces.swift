extension Array {
    /// Copies of a value, made in pieces; fewer than asked for once a stop is asked for meanwhile.
    ///
    /// To clear the memory of ten million users takes seconds, in which a stop is to be heeded.
    @inlinable
    public init(repeating value: Element, count: Int, unless isStopped: () -> Bool) {
        self.init()
        guard !isStopped() else { return }
        reserveCapacity(count)
        while self.count < count, !isStopped() {
            let piece = Swift.min(count - self.count, 65_536)
            append(contentsOf: repeatElement(value, count: piece))
        }
    }
}
