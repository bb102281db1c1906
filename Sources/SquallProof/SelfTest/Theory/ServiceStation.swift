import SquallKernel

/// c equal workers behind one unbounded line, Poisson arrivals, exponential services: M/M/c.
///
/// Rates are per second and times in seconds. The formulas are A. K. Erlang's (1917); see Gross and
/// Harris, *Fundamentals of Queueing Theory*, chapter 2.
struct ServiceStation {
    let workers: Int
    let arrivalRate: Double
    let serviceRate: Double

    /// The share of the workers' time in use.
    var utilisation: Double { arrivalRate / (Double(workers) * serviceRate) }

    /// P(wait), by Erlang's C formula.
    var waitProbability: Double {
        Erlang.waiting(workers: workers, offeredLoad: arrivalRate / serviceRate)
    }

    /// W_q, the mean time in line.
    var meanWait: Double { waitProbability / spareRate }

    /// L_q, the mean length of the line, by Little's law.
    var meanQueueLength: Double { arrivalRate * meanWait }

    /// P(W_q > t): waits are exponential once there is one.
    func waitExceeds(_ time: Double) -> Double {
        waitProbability * PortableMath.exp(-spareRate * time)
    }

    /// The wait that a given share of customers exceeds; the share is below P(wait).
    func wait(exceededBy share: Double) -> Double {
        PortableMath.log(waitProbability / share) / spareRate
    }

    /// After a few times this long, in seconds, a line has forgotten how it began.
    ///
    /// 1 / (√(cμ) − √λ)², the relaxation time of M/M/c (Morse 1955; Cohen 1982, §II.2).
    var relaxationTime: Double {
        let gap = (Double(workers) * serviceRate).squareRoot() - arrivalRate.squareRoot()
        return 1 / (gap * gap)
    }

    /// σ² of the mean of n consecutive waits times n, for one worker (Daley 1968).
    ///
    /// Waits are autocorrelated, so this is far more than a single wait's variance.
    var varianceOfMeanWaits: Double {
        precondition(workers == 1, "Daley's variance is for one worker, not \(workers)")
        let load = utilisation
        let polynomial = 2 + load * (5 + load * (-4 + load))
        let spare = (1 - load) * (1 - load) * serviceRate
        return load * polynomial / (spare * spare)
    }

    private var spareRate: Double { Double(workers) * serviceRate - arrivalRate }
}

extension ServiceStation {
    /// A station with services of 100 ms, and with workers in use for a share of their time.
    init(workers: Int, load: Double) {
        self.init(workers: workers, arrivalRate: Double(workers) * load * 10, serviceRate: 10)
    }
}

/// Erlang's two formulas; the offered load is arrival rate × mean service.
enum Erlang {
    /// B: the share of customers lost if there is no room to wait (the recursion of Jagerman 1974).
    static func loss(workers: Int, offeredLoad: Double) -> Double {
        (1...workers).reduce(1.0) { blocking, worker in
            offeredLoad * blocking / (Double(worker) + offeredLoad * blocking)
        }
    }

    /// C: the share of customers who wait if all can.
    static func waiting(workers: Int, offeredLoad: Double) -> Double {
        let blocking = loss(workers: workers, offeredLoad: offeredLoad)
        let utilisation = offeredLoad / Double(workers)
        return blocking / (1 - utilisation * (1 - blocking))
    }
}

/// One worker and services of any distribution: M/G/1.
enum PollaczekKhinchine {
    /// W_q in seconds; `squaredVariation` is the service time's variance over its squared mean.
    static func meanWait(
        arrivalRate: Double, meanService: Double, squaredVariation: Double
    ) -> Double {
        let load = arrivalRate * meanService
        return load * meanService * (1 + squaredVariation) / (2 * (1 - load))
    }
}
