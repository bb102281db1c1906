extension Units {
    /// The duration, exact and readable by ``nanoseconds(_:)``: `1m30.5s`.
    public static func exact(nanoseconds: Int64) -> String {
        precondition(nanoseconds >= 0, "cannot write a duration of \(nanoseconds) ns")
        guard nanoseconds > 0 else { return "0s" }
        var rest = nanoseconds
        var text = ""
        for (name, unit) in time where name != "µs" && rest >= unit {
            guard unit >= 60_000_000_000 else { return text + decimal(rest, per: unit) + name }
            text += "\(rest / unit)\(name)"
            rest %= unit
        }
        return text
    }

    /// The duration for people, with three digits or two units: `271 ms`, `2m05s`.
    public static func approximate(nanoseconds: Int64) -> String {
        let minutes = nanoseconds / 60_000_000_000
        guard nanoseconds != 0 else { return "0 s" }
        guard minutes > 0 else { return approximate(belowOneMinute: nanoseconds) }
        if minutes < 60 { return pair(nanoseconds / 1_000_000_000, 60, "m", "s") }
        if minutes < 24 * 60 { return pair(minutes, 60, "h", "m") }
        return pair(minutes / 60, 24, "d", "h")
    }

    /// The duration of a setting: as a profile writes it where that is short, or for people.
    ///
    /// A searched or a worked-out duration has nanoseconds that mean nothing to a reader.
    public static func setting(nanoseconds: Int64) -> String {
        let text = exact(nanoseconds: nanoseconds)
        return text.count <= 7 ? text : approximate(nanoseconds: nanoseconds)
    }

    /// The whole number with its digits in groups of three: `1 234 567`.
    public static func grouped(_ count: Int64) -> String {
        let digits = Array(String(count.magnitude))
        var text = count < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text += " " }
            text.append(digit)
        }
        return text
    }

    /// The count with its noun, which gets its plural unless the count is 1: `2 expiries`.
    public static func counted(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(grouped(Int64(count))) \(count == 1 ? noun : plural(of: noun))"
    }

    private static func plural(of noun: String) -> String {
        if ["s", "x", "sh", "ch"].contains(where: noun.hasSuffix) { return noun + "es" }
        guard noun.hasSuffix("y"), !["ay", "ey", "oy"].contains(where: noun.hasSuffix) else {
            return noun + "s"
        }
        return noun.dropLast() + "ies"
    }

    /// The number with three significant digits and a unit prefix: `1.23M`, `512k`.
    public static func approximate(count: Int64) -> String {
        guard count >= 10_000 else { return grouped(count) }
        let (factor, name): (Double, String) =
            switch count {
            case ..<999_500: (1e3, "k")
            case ..<999_500_000: (1e6, "M")
            default: (1e9, "G")
            }
        return threeDigits(Double(count) / factor) + name
    }

    /// The share as a percentage with three significant digits: `3.21 %`.
    public static func percent(_ share: Double) -> String {
        "\(threeDigits(share * 100)) %"
    }

    /// The rate for people, with three significant digits: `31.4/s`, `29 182/s`.
    public static func rate(perSecond: Double) -> String {
        threeDigits(perSecond) + "/s"
    }

    /// The number for people, with three significant digits or whole: `0.0421`, `3.66`, `29 182`.
    ///
    /// At most four decimals and no exponent below 10¹⁵.
    public static func threeDigits(_ number: Double) -> String {
        readable(number, significant: 3)
    }

    /// The number for people, with significant digits or whole, and its thousands in groups.
    public static func readable(_ number: Double, significant: Int) -> String {
        guard (max(999.5, power(ofTen: significant - 1))..<1e15).contains(number.magnitude) else {
            return digits(number, significant: significant)
        }
        return grouped(Int64(number.rounded()))
    }

    /// The number with its digits and a power of ten where it is below a thousandth: `3.12·10⁻⁵`.
    public static func scientific(_ number: Double, significant: Int = 3) -> String {
        guard number != 0, number.magnitude < 0.001, number.isFinite else {
            return readable(number, significant: significant)
        }
        var (rest, power) = (number, 0)
        while rest.magnitude < 0.9995 { (rest, power) = (rest * 10, power + 1) }
        let raised = "\(power)".unicodeScalars.map { superscripts[Int($0.value) - 48] }
        return digits(rest, significant: significant) + "·10⁻" + String(raised)
    }

    private static let superscripts = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")

    /// The number with a number of significant digits, and at most one decimal more than those.
    ///
    /// No exponent below 10¹⁵. Digits before the decimal point are never rounded away.
    public static func digits(_ number: Double, significant: Int) -> String {
        guard number.magnitude < 1e15 else { return "\(number)" }
        var decimals = significant + 1
        var scaled = (number.magnitude * power(ofTen: decimals)).rounded()
        while decimals > 0, scaled >= power(ofTen: significant) {
            decimals -= 1
            scaled = (number.magnitude * power(ofTen: decimals)).rounded()
        }
        let sign = number < 0 && scaled > 0 ? "-" : ""
        let text = decimal(Int64(scaled), per: Int64(power(ofTen: decimals)))
        return sign + text
    }

    private static func power(ofTen exponent: Int) -> Double {
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }

    private static func approximate(belowOneMinute nanoseconds: Int64) -> String {
        let units = [("s", 1e9), ("ms", 1e6), ("µs", 1e3)]
        for (name, unit) in units where Double(nanoseconds) >= unit * 0.9995 {
            return threeDigits(Double(nanoseconds) / unit) + " " + name
        }
        return "\(nanoseconds) ns"
    }

    private static func pair(
        _ value: Int64, _ base: Int64, _ large: String, _ small: String
    ) -> String {
        let rest = value % base
        return "\(value / base)\(large)\(rest < 10 ? "0" : "")\(rest)\(small)"
    }

    /// The quotient as a decimal number without trailing zeros; `unit` is a power of ten.
    private static func decimal(_ value: Int64, per unit: Int64) -> String {
        let whole = String(value / unit)
        guard value % unit != 0 else { return whole }
        var fraction = String(value % unit + unit).dropFirst()
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }
}
