/// The version of this package: pages name it, and results belong to it.
public enum SquallVersion {
    /// The version as releases are numbered.
    public static let current = "1.0.0"
}
