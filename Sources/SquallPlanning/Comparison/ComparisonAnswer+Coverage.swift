extension ComparisonAnswer {
    /// Whether a table of two designs shows no difference, each replication paired with the one of
    /// the same number although their seeds differ.
    ///
    /// It serves to prove that equal designs are called different no more often than claimed; a
    /// comparison itself pairs by seed.
    public static func isSilent(_ a: [Replication], _ b: [Replication]) -> Bool {
        let (left, right) = (FigureSeries.all(of: a), FigureSeries.all(of: b))
        let differences = zip(left, right).compactMap { one, other -> PairedDifference? in
            guard one.name == other.name, Headlines.names.contains(one.name) else { return nil }
            let pairs = zip(one.values, other.values).compactMap { a, b in
                a.flatMap { a in b.map { (a: a, b: $0) } }
            }
            return PairedDifference(one.name, one.unit, pairs)
        }
        return corrected(differences).allSatisfy { !$0.isDistinct }
    }
}
