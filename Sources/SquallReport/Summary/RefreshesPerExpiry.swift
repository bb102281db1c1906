/// Refreshes per expiry of a user's access token: the only definition of both quotients.
///
/// An expiry begins with the first answer "expired" after the last renewal. Refreshes that no
/// answer caused are left out.
struct RefreshesPerExpiry: Hashable {
    let expiries, refreshes, redundant: Int64

    /// 1 is ideal; nil without expiries.
    var quotient: Double? { Ratio(part: refreshes, whole: expiries).quotient }

    /// The share of refreshes that were needed; nil without refreshes.
    var efficiency: Double? { Ratio(part: refreshes - redundant, whole: refreshes).quotient }
}
