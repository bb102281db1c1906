/// A file that holds its mutants beside what they change: one is switched on when a test begins
/// (Untch, Offutt and Harrold, Mutation analysis using mutant schemata, 1993).
struct Schemata {
    private(set) var text: [UInt8] = []
    /// Where each stands in the text, by number.
    private var places: [(range: Range<Int>, number: Int)] = []

    /// A source and its mutants, each with the number that switches it on.
    init(_ source: [UInt8], _ mutants: [(number: Int, mutant: Mutant)]) {
        let outsideFirst = mutants.sorted {
            let (one, other) = ($0.mutant, $1.mutant)
            return (one.range.lowerBound, -one.range.upperBound, one.form.rawValue, $0.number)
                < (other.range.lowerBound, -other.range.upperBound, other.form.rawValue, $1.number)
        }
        write(source, 0..<source.count, outsideFirst[...])
    }

    private mutating func write(
        _ source: [UInt8], _ range: Range<Int>, _ mutants: ArraySlice<(number: Int, mutant: Mutant)>
    ) {
        var rest = mutants
        var position = range.lowerBound
        while let (number, mutant) = rest.popFirst() {
            let inside = rest.prefix { $0.mutant.range.upperBound <= mutant.range.upperBound }
            rest = rest.dropFirst(inside.count)
            text += source[position..<mutant.range.lowerBound]
            let start = text.count
            let (prefix, suffix) = mutant.schema("switchedMutant(\(number))")
            text += prefix.utf8
            write(source, mutant.range, inside)
            text += suffix.utf8
            places.append((start..<text.count, number))
            position = mutant.range.upperBound
        }
        text += source[position..<range.upperBound]
    }

    /// The mutant that a compiler's message means: the innermost around it, else the nearest.
    func number(line: Int, column: Int) -> Int? {
        var start = 0
        for _ in 1..<max(line, 1) {
            guard let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            start = end + 1
        }
        let offset = start + column - 1
        return places.min {
            let one = max($0.range.lowerBound - offset, offset - $0.range.upperBound, 0)
            let other = max($1.range.lowerBound - offset, offset - $1.range.upperBound, 0)
            return (one, $0.range.count) < (other, $1.range.count)
        }?.number
    }

    /// What each module with mutants has besides: reads once which one is switched on, and marks
    /// in a shared file which ones are reached at all.
    static let switchFile = """
        import Glibc

        private let chosen = getenv("SQUALL_MUTANT").flatMap { Int(String(cString: $0)) }

        private nonisolated(unsafe) let reached: UnsafeMutableRawPointer? = {
            guard let path = getenv("SQUALL_MUTANTS_REACHED") else { return nil }
            // A test may make any call fail, this one too.
            let file = open(path, O_RDWR)
            defer { close(file) }
            let shared = mmap(nil, \(reachedSize), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            return shared == MAP_FAILED ? nil : shared
        }()

        @usableFromInline
        func switchedMutant(_ number: Int) -> Bool {
            reached?.storeBytes(of: 1, toByteOffset: number, as: UInt8.self)
            return number == chosen
        }

        """
    static let reachedSize = 65_536
}
