public import SquallKernel

/// What is planned for the contract.
public struct ContractPlan: Sendable {
    /// Which protocols the server speaks.
    public var years: [ContractYear]
    /// What there is to read.
    public var content: ContentPlan
    /// Whether a post's encoding is kept until the post changes; no byte of an answer depends on
    /// it.
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
