extension Profile.Population {
    /// The first setting of users' habits that differs from another population's; nil when both can
    /// be the same people.
    func difference(to other: Profile.Population) -> String? {
        let settings: [(String, Bool)] = [
            ("app", app == other.app), ("users", users == other.users),
            ("journeys", journeys == other.journeys), ("load", load == other.load),
            ("thinkTime", thinkTime == other.thinkTime), ("away", away == other.away),
            ("arriveOver", arriveOverNanoseconds == other.arriveOverNanoseconds),
            ("patience", patienceNanoseconds == other.patienceNanoseconds),
            ("startsSignedIn", startsSignedIn == other.startsSignedIn),
        ]
        return settings.first { !$0.1 }?.0
    }
}
