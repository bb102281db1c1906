public import SquallKernel

/// What is planned for the contract.
public struct ContractPlan: Sendable {
    /// The protocols that the server speaks, both on one state.
    public var years: [ContractYear]
    /// The posts that there are before the run.
    public var content: ContentPlan
    /// True to keep a post's encoding until the post changes; no byte of a response depends on it.
    public var cachesEncodings: Bool
    /// Where the run begins in the calendar.
    public var epoch: Epoch

    /// A plan that sets every setting; it begins where runs begin.
    public init(years: [ContractYear], content: ContentPlan, cachesEncodings: Bool) {
        epoch = .standard
        self.years = years
        self.content = content
        self.cachesEncodings = cachesEncodings
    }

    /// The keys of the projects it serves; one app has one.
    static let serviceKeys = [
        "scrolly-key", "thisbook-key", "shared-key", "ootd-key",
    ]
}
