public import SquallFormat
import SquallKernel

/// A kind of fault without its type, as a profile's vocabulary lists it.
public struct FaultFormat: Sendable {
    /// The kind's name in profiles.
    public let name: String
    /// Which of the settings that all faults share have a meaning for it.
    public let reach: FaultReach
    /// The settings that are its own.
    public var settings: SettingFormat<CheckedSetting> { format.checking }

    private let format: SettingFormat<FaultKind>

    private init(
        _ name: String, _ reach: FaultReach,
        read: @escaping @Sendable (inout SettingsReader) -> FaultKind
    ) {
        (self.name, self.reach) = (name, reach)
        format = .section(neededBy: name, read)
    }

    /// Every kind there is, in the order of the reference.
    public static let all = [
        FaultFormat("expireAllTokens", .everybodyAtOnce) { _ in .expireAllTokens },
        FaultFormat("revokeRefreshTokens", .usersAtOnce) { _ in .revokeRefreshTokens },
        FaultFormat("latency", .attempts) { read in
            .latency(
                factor: read(
                    "factor", .number(0...1_000_000), otherwise: 1, "Latency is multiplied by this."
                ),
                added: read(
                    "added", .distribution(0...Span.hour), otherwise: "0s",
                    "This is added to the way up."))
        },
        FaultFormat("serverError", .attempts) { read in
            .serverError(
                status: read("status", .integer(400...599), "The status that the server returns."),
                retryAfterNanoseconds: read.optional(
                    "retryAfter", .duration(Span.second...Span.hour),
                    "What its Retry-After says, rounded up to whole seconds; by default what the"
                        + " service says with such a status."))
        },
        FaultFormat("tokenOutage", .attemptsOfItsOwn) { _ in .tokenOutage },
        FaultFormat("noToken", .attemptsOfItsOwn) { read in
            .noToken(
                body: read(
                    "body", .text(0...1_000),
                    otherwise: .string(FaultKind.noTokenBody),
                    "The body of the 200 that sign-ins and refreshes get, without a token."))
        },
        FaultFormat("dropRequest", .attempts) { .dropRequest($0.lossNotice()) },
        FaultFormat("dropAnswer", .attempts) { .dropAnswer($0.lossNotice()) },
        FaultFormat("refuseConnection", .attempts) { _ in .refuseConnection },
        FaultFormat("duplicate", .attempts) { _ in .duplicate },
        FaultFormat("partialBody", .attempts) { _ in .partialBody },
        FaultFormat("corruptBody", .attempts) { _ in .corruptBody },
        FaultFormat("capacity", .server) { read in
            .capacity(
                workers: read("workers", .integer(0...1_000_000), "How many workers are left."))
        },
        FaultFormat("slowServer", .attempts) { read in
            .slowServer(
                factor: read(
                    "factor", .number(0...1_000_000), otherwise: 1,
                    "The time a worker needs is multiplied by this."),
                added: read(
                    "added", .distribution(0...Span.hour), otherwise: "0s",
                    "This is added to the time a worker needs."))
        },
        FaultFormat("clockSkew", .server) { read in
            .clockSkew(
                nanoseconds: read(
                    "skew", .duration(0...Span.day), "How wrong clocks are at most."))
        },
        FaultFormat("handover", .usersAtOnce) { read in
            .handover(
                read(
                    "connections", .choice(Handover.self), otherwise: "break",
                    "What happens to connections: they break, they stall until calls time out, or"
                        + " those of http3 move along and others break."))
        },
        FaultFormat("offline", .users) { _ in .offline },
        FaultFormat("restart", .everybodyAtOnce) { read in
            .restart(
                isReload: read(
                    "reload", .flag, otherwise: .bool(false),
                    "Whether the server finishes its work, with GOAWAY or Connection: close,"
                        + " instead of resetting its connections."))
        },
    ]

    /// The kind of that name.
    ///
    /// - Precondition: there is one, and the settings were checked by its format.
    static func kind(named name: String, _ settings: CheckedSetting) -> FaultKind {
        guard let kind = all.first(where: { $0.name == name }) else {
            preconditionFailure("a checked profile names the unknown fault \(name)")
        }
        return settings.value(as: kind.format)
    }
}
