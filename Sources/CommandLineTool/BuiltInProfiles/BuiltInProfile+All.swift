extension BuiltInProfile {
    /// Every one, in the order of their names.
    static let all: [BuiltInProfile] = [
        .eveningRush,
        .feedScroll,
        .launchDay,
        .million,
        .overloadRetryBudgeted,
        .overloadRetry,
        .paymentDay,
        .quick,
        .tokenExpiryStorm,
    ]
}
