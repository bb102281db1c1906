import SquallReport

/// The columns of `timeseries.csv`, and the one place that knows their positions.
struct Timeline {
    private(set) var series: TimeSeries

    /// A column, in the order of the file.
    enum Column: Int, CaseIterable {
        case usersArrived, stepsRunning, stepsEnded, stepsFailed, stepsHung, stepsIdle
        case requests, succeeded, expired, failed, lost
        case retries, refreshes
        case held, signOuts
        case sentFirst, sentRetry, sentRefresh, goodput
        case pages, items

        var heading: String {
            switch self {
            case .usersArrived: "users_arrived"
            case .stepsRunning: "steps_running"
            case .stepsEnded: "steps_ended"
            case .stepsFailed: "steps_failed"
            case .stepsHung: "steps_hung"
            case .stepsIdle: "steps_idle"
            case .requests: "requests"
            case .succeeded: "answers_2xx"
            case .expired: "answers_419"
            case .failed: "answers_other"
            case .lost: "answers_none"
            case .retries: "retries"
            case .refreshes: "refreshes"
            case .held: "requests_held"
            case .signOuts: "sign_outs"
            case .sentFirst: "sent_first"
            case .sentRetry: "sent_retry"
            case .sentRefresh: "sent_refresh"
            case .goodput: "goodput"
            case .pages: "pages"
            case .items: "items"
            }
        }

        var kind: TimeSeries.Kind {
            switch self {
            case .usersArrived, .stepsRunning, .held: .level
            default: .sum
            }
        }
    }

    init(intervalNanoseconds: Int64) {
        series = TimeSeries(
            columns: Column.allCases.map { .init($0.heading, $0.kind) },
            intervalNanoseconds: intervalNanoseconds)
    }

    mutating func count(_ column: Column, _ amount: Int64 = 1, at moment: Int64) {
        series.record(amount, inColumn: column.rawValue, atNanoseconds: moment)
    }

    mutating func extend(to moment: Int64) { series.extend(toNanoseconds: moment) }
}
