extension Route {
    /// Gives the bytes of the first name to a body, which must not keep them, and returns its
    /// result; the name as a part of a string takes longer to make than to read.
    @inlinable
    public func withFirst<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        var path = path
        return path.withUTF8 { path in
            let name = Int(firstName.lowerBound)..<Int(firstName.upperBound)
            return body(UnsafeBufferPointer(rebasing: path[name]))
        }
    }
}
