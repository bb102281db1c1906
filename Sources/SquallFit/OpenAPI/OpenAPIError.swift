import SquallFormat

/// The reason for which a document cannot be used, with the place and the way out.
public struct OpenAPIError: Error, CustomStringConvertible {
    /// The file with the place, and the fault there.
    public let description: String

    init(_ file: String, _ place: TextPlace?, _ pointer: String, _ problem: String) {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        let subject = pointer.isEmpty ? "" : "\(pointer) "
        description = "\(file)\(position): \(subject)\(problem)"
    }
}
