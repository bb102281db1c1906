extension BuiltInProfile {
    /// Every one, in the order of their names.
    static let all: [BuiltInProfile] = [
        .eveningRush,
        .expiryPlanner,
        .feedScroll,
        .launchDay,
        .metastabilityMap,
        .million,
        .overloadRetryBudgeted,
        .overloadRetry,
        .paymentDay,
        .quick,
        .tokenExpiryStorm,
    ]
}
