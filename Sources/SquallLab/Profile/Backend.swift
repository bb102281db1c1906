import SquallApps
public import SquallBackend
import SquallFormat
import SquallServices

extension Profile {
    /// The backend: the server, its network and its faults.
    public struct Backend: Hashable, Sendable {
        /// Lifetimes of tokens, and what a refresh does to them.
        public var tokens: TokenPolicy
        /// The way to the server.
        public var network: NetworkPlan
        /// The capacity of the server.
        public var server: ServerPlan
        /// The faults of the run, in the file's order.
        public var faults: [FaultSetting]
        private var services: [String: CheckedSetting] = [:]

        /// The value of a service's setting.
        ///
        /// - Precondition: the vocabulary had the setting when the profile was read.
        func value<Value>(of setting: Setting<Value>) -> Value {
            guard let checked = services[setting.key] else {
                preconditionFailure("the profile was read without the setting \(setting.key)")
            }
            return checked.value(as: setting.format)
        }

        var declaresService: Bool { services["service"]?.isEmptyObject == false }
    }
}

extension Profile.Backend {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        tokens = read(
            "tokens", .section { TokenPolicy(&$0) }, otherwise: [:],
            "Lifetimes of tokens, and what a refresh does to them.")
        network = read(
            "network", .section { NetworkPlan(&$0) }, otherwise: [:],
            "The way to the server.")
        server = read(
            "server", .section { ServerPlan(&$0, endpoints: vocabulary.endpoints) }, otherwise: [:],
            "The server's workers, service times, queue, pools and database.")
        for service in ServiceKind.all.flatMap(\.settings) { services[service.key] = read(service) }
        faults = read(
            "faults",
            .list(
                of: .section {
                    let apps = vocabulary.apps.map(\.name)
                    return FaultSetting(&$0, endpoints: vocabulary.endpoints, apps: apps)
                }, 0...1_000), otherwise: [], "What is done to the server during the run.")
    }
}
