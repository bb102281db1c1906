import SquallBackend
import SquallLab

extension Profile {
    /// The most refreshes each second that tokens issued within a window come back with, where
    /// there is a closed form; nil where there is none.
    ///
    /// N users whose tokens are issued evenly within w and live L less up to j come back about L
    /// later, spread over w and j together: the convolution of the two has its top at
    /// N / max(w, j). It holds for closed loads whose users have no other reason to refresh and
    /// are there when their tokens end, and where w + j is less than L.
    var expectedRefreshPeak: Double? {
        let tokens = backend.tokens
        let lifetime = Double(tokens.accessLifetimeNanoseconds) / 1e9
        let jitter = Double(tokens.lifetimeJitterNanoseconds) / 1e9
        var peak = 0.0
        for population in populations {
            guard case .closed = population.load, population.initialTokens == .fresh else {
                return nil
            }
            let window = Double(population.arriveOverNanoseconds) / 1e9
            let spread = max(window, jitter)
            guard spread > 0, window + jitter < lifetime else { return nil }
            peak += Double(population.users) / spread
        }
        return peak
    }
}
