public import SquallFormat

/// A kind of fault without its type, as a profile's vocabulary lists it.
public struct FaultFormat: Sendable {
    /// Its name.
    public let name: String
    /// Which of the settings that all faults share have a meaning for it.
    public let reach: FaultReach
    /// The settings that are its own.
    public var settings: SettingFormat<CheckedSetting> { format.checking }

    private let format: SettingFormat<any FaultKind>

    private init<Kind: FaultKind>(_ kind: Kind.Type) {
        name = Kind.name
        reach = Kind.reach
        format = .section(neededBy: Kind.name) { Kind(&$0) as any FaultKind }
    }

    /// Every kind there is, in the order of the reference.
    public static let all = [
        FaultFormat(ExpireAllTokens.self), FaultFormat(RevokeRefreshTokens.self),
        FaultFormat(LatencyFault.self), FaultFormat(ServerError.self),
        FaultFormat(TokenOutage.self), FaultFormat(DropRequest.self),
        FaultFormat(DropAnswer.self), FaultFormat(RefuseConnection.self),
        FaultFormat(DuplicateRequest.self), FaultFormat(PartialBody.self),
        FaultFormat(CorruptBody.self), FaultFormat(CapacityLoss.self), FaultFormat(SlowServer.self),
        FaultFormat(ClockSkew.self),
    ]

    /// The kind of that name.
    ///
    /// - Precondition: there is one, and the settings were checked by its format.
    static func kind(named name: String, _ settings: CheckedSetting) -> any FaultKind {
        guard let kind = all.first(where: { $0.name == name }) else {
            preconditionFailure("a checked profile names the unknown fault \(name)")
        }
        return settings.value(as: kind.format)
    }
}
