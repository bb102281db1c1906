public import SquallFormat

extension ContractYear {
    /// The years as a setting of a profile's backend.
    public static let setting = Setting(
        "generation",
        SettingFormat.words(allCases.map(\.rawValue) + ["both"]).map { word in
            allCases.filter { word == "both" || word == $0.rawValue }
        }, otherwise: "2024",
        "Which protocols the server speaks: OOTD's, that of the other apps, or both at once.")
}
