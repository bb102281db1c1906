/// The backend that all four apps talk to.
///
/// Keys and ports of the real projects were never published; these are ours.
enum LSLP {
    /// What every request says in `SesacKey`.
    static let key = "scrolly-key"
    /// The server of 2024, whose paths begin with a version.
    static let origin2024 = "http://lslp.sesac.kr:31222"
    /// The server of 2023, whose paths have no version.
    static let origin2023 = "http://lslp.sesac.kr:27812"
}
