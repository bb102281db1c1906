public import SquallFormat
public import SquallKernel

/// What is planned for services: a value for each of their settings, and the number of accounts.
///
/// It knows no service: a setting's name, range and default are in its service's folder, and a
/// setting that has no value here means the default. A service that many callers configure has a
/// property of its own, declared in its folder as well.
///
/// ```swift
/// var plan = ServicesPlan.standard
/// plan[PaymentPlan.setting].cancelProbability = 0
/// ```
public struct ServicesPlan: Sendable {
    /// The number of users with an account before the run.
    public var userCount: Int
    /// True to keep encoded parts of responses; no byte of a response depends on it.
    public var cachesEncodings: Bool
    /// Where the run begins in the calendar: dates from before it are so much earlier.
    public var epoch: Epoch
    /// Header fields of a response that a fault makes, by their names, of services that are
    /// configured by their token form; a profile cannot set them.
    public var failureHeaders: [String: String]
    /// Asked while something large is built or played; once it returns true, the rest is not made,
    /// and the result is worthless.
    public var isStopped: @Sendable () -> Bool
    /// The values, by the settings' keys.
    private var values: [String: any Sendable] = [:]

    /// The services of a profile that sets nothing for them; the number of users is set later.
    public static var standard: ServicesPlan {
        ServicesPlan(userCount: 0, cachesEncodings: true)
    }

    /// The services for one phone, whichever of them its app speaks with.
    public static var ofOnePhone: ServicesPlan {
        ServiceKind.all.reduce(into: standard) { $1.serveOnePhone(&$0) }
    }

    /// A plan in which every setting has its default.
    public init(userCount: Int, cachesEncodings: Bool) {
        self.userCount = userCount
        self.cachesEncodings = cachesEncodings
        epoch = .standard
        failureHeaders = [:]
        isStopped = { false }
    }

    /// The value of a service's setting.
    ///
    /// - Precondition: no other setting has its key.
    public subscript<Value>(setting: Setting<Value>) -> Value {
        get {
            guard let said = values[setting.key] else { return setting.standard }
            if let checked = said as? CheckedSetting { return checked.value(as: setting.format) }
            guard let value = said as? Value else {
                preconditionFailure("two settings of services are called \(setting.key)")
            }
            return value
        }
        set { values[setting.key] = newValue }
    }
}
