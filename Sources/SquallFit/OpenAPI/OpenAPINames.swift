extension TrafficLog {
    /// Names the calls of a log as an API's document does, and returns how many it knows.
    ///
    /// - Throws: `OpenAPIError` with the place and the way out.
    public mutating func name(by bytes: [UInt8], file: String) throws -> Int {
        let document = try OpenAPIFile(reading: bytes, file: file)
        var names: [String: String] = [:]
        for call in try document.calls() {
            // A log may be written behind a proxy that takes the API's root away.
            for path in [call.fullPath, OpenAPICall.path(call.path)] {
                let shape = "\(call.method) \(OpenAPICall.shape(path))"
                names[shape] = names[shape] ?? call.name
            }
        }
        var known = 0
        for index in calls.indices {
            let call = calls[index]
            calls[index].name = names["\(call.method) \(OpenAPICall.shape(call.path))"]
            known += calls[index].name == nil ? 0 : 1
        }
        return known
    }
}
