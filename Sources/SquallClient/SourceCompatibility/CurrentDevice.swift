/// The phone that the running code is on, for code that makes its own sessions.
///
/// ```swift
/// await CurrentDevice.$value.withValue(CurrentDevice(environment: environment, user: 7)) {
///     let session = Session(interceptor: tokens)
/// }
/// ```
/// It belongs to the running task and those it starts, so that each simulated user has their own. A
/// session that is made in a global variable has none.
public struct CurrentDevice: Sendable {
    /// What its sessions share with those of other phones.
    public let environment: SessionEnvironment
    /// Its user.
    public let user: UInt64

    /// The phone of a user.
    public init(environment: SessionEnvironment, user: UInt64) {
        self.environment = environment
        self.user = user
    }

    /// The phone of the running task; `nil` outside of a world.
    @TaskLocal public static var value: CurrentDevice?
}

extension Session {
    /// A session on the running task's phone.
    ///
    /// - Precondition: the task runs on one: `CurrentDevice.value` is set.
    public convenience init(interceptor: (any RequestInterceptor)? = nil) {
        guard let device = CurrentDevice.value else {
            preconditionFailure(
                "Session() was called where no phone is known; set CurrentDevice.value around it,"
                    + " or use Session(environment:user:interceptor:)")
        }
        self.init(environment: device.environment, user: device.user, interceptor: interceptor)
    }
}
