/// Something that was done to the world, marked in every chart over time.
struct TimeMark: Hashable {
    /// Its beginning and end; equal for a moment.
    let start, end: Int64
    let label: String

    /// Its place on an axis of time.
    func placed(on axis: Axis) -> Plot.Mark {
        Plot.Mark(
            place: axis.place(of: Double(start)),
            end: end > start ? axis.place(of: Double(end)) : nil, label: label)
    }
}
