extension Array {
    /// Makes copies of a value in pieces; makes fewer when a stop is asked for meanwhile.
    ///
    /// Clearing the memory of ten million users takes seconds; a stop must not wait for that.
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
