import SquallBackend

extension Profile {
    /// The peak rate of refreshes, per second, of tokens that are issued within a window, in closed
    /// form; nil where there is none.
    ///
    /// N users get tokens evenly within a time w, which live L less up to j. They refresh about L
    /// later, spread over w and j together: the convolution of the two peaks at N / max(w, j). It
    /// holds for closed loads where users refresh for no other reason and are present when their
    /// tokens end, and where w + j is less than L.
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
