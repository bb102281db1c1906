import SquallHTTP
import SquallKernel

extension Body {
    /// The bytes without the second half.
    var firstHalf: Body { Body(Array(bytes.prefix(count / 2))) }

    /// The bytes with about one in 64, and one at least, made `0xFF`.
    func corrupted(_ stream: RandomStream) -> Body {
        guard !isEmpty else { return self }
        var bytes = bytes
        for index in 0..<UInt64(1 + count / 64) {
            bytes[Int(stream.integer(below: UInt64(count), at: index))] = 0xFF
        }
        return Body(bytes)
    }
}
