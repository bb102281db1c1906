import Foundation

/// `UserDefaults.standard` on a simulated device: its settings are kept in the device's storage.
///
/// Values that a property list can have are kept; observers are not notified.
final class DeviceDefaults: UserDefaults {
    private let storage: any DeviceStorage
    private var registered: [String: Any] = [:]

    init?(_ storage: any DeviceStorage) {
        self.storage = storage
        super.init(suiteName: nil)
    }

    override func object(forKey key: String) -> Any? {
        guard let data = storage.data(forKey: DeviceDefaults.prefix + key),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return registered[key] }
        return (list as? [Any])?.first
    }

    override func set(_ value: Any?, forKey key: String) {
        let data = value.flatMap {
            try? PropertyListSerialization.data(fromPropertyList: [$0], format: .binary, options: 0)
        }
        storage.set(data, forKey: DeviceDefaults.prefix + key)
    }

    override func removeObject(forKey key: String) { set(nil, forKey: key) }

    override func register(defaults: [String: Any]) {
        registered.merge(defaults) { $1 }
    }

    override func synchronize() -> Bool { true }

    private static let prefix = "UserDefaults."
}
