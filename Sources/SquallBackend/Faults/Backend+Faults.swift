public import SquallKernel

/// Faults that are begun and ended while the backend runs, as by a test or a live server's control.
extension Backend {
    /// A fault that was begun and can be ended.
    public struct BegunFault: Sendable {
        /// The number by which ``Backend/endFault(_:)`` ends it.
        public let number: Int
        /// The name of its kind.
        public let name: String
        /// When it is over; `nil` where only ``endFault(_:)`` ends it.
        public let end: Instant?
    }

    /// Begins a fault now; it is over at its end, if it has one, or when it is ended.
    ///
    /// - Returns: its number.
    @discardableResult
    public func beginFault(_ fault: Fault) -> Int {
        simulation.checkThread()
        var fault = fault
        let span = fault.end.nanoseconds - fault.start.nanoseconds
        let lasts = fault.end.nanoseconds < .max
        fault.start = simulation.now
        fault.end = lasts ? simulation.now.advanced(byNanoseconds: span) : fault.end
        faults.forget(before: simulation.now)
        let (number, armed) = faults.begin(fault)
        strike(armed)
        observer.faultStruck(fault)
        if case .workers = armed.effect, lasts, let capacityChanged {
            simulation.schedule(capacityChanged, argument: 0, at: fault.end)
        }
        return number
    }

    /// Ends a fault that was begun; `false` when there is none of that number any more.
    public func endFault(_ number: Int) -> Bool {
        simulation.checkThread()
        faults.forget(before: simulation.now)
        guard faults.end(number) else { return false }
        changeCapacity()
        return true
    }

    /// The faults that were begun and are not over.
    public var begunFaults: [BegunFault] {
        faults.begun.filter { $0.fault.fault.end > simulation.now }.map { number, armed in
            let end = armed.fault.end
            return BegunFault(
                number: number, name: armed.fault.name, end: end.nanoseconds < .max ? end : nil)
        }
    }
}

/// Faults that strike at an instant, and capacity that changes at one.
extension Backend {
    func scheduleFaults() {
        let announced = faults.announced
        let began = simulation.register { [unowned self] index in
            strike(announced[Int(index)])
            observer.faultStruck(announced[Int(index)].fault)
        }
        let ended = simulation.register { [unowned self] _ in changeCapacity() }
        capacityChanged = ended
        let serving = plan.server.serving
        for start in Set((serving.stages + serving.pools.flatMap(\.stages)).map(\.start)).sorted() {
            simulation.schedule(ended, argument: 0, at: start)
        }
        for (index, armed) in announced.enumerated() {
            simulation.schedule(began, argument: UInt64(index), at: armed.fault.start)
            guard case .workers = armed.effect, armed.fault.end.nanoseconds < .max else {
                continue
            }
            simulation.schedule(ended, argument: UInt64(index), at: armed.fault.end)
        }
    }

    private func strike(_ armed: ArmedFault) {
        let now = simulation.now
        switch armed.effect {
        case .tokens(let kind): tokens.expireAll(kind, at: now, of: armed)
        case .workers: changeCapacity()
        case .phones(let end): endConnections(end, of: armed)
        case .wire, .work, .service, .clocks: break  // Asked whenever a request comes by.
        }
    }
}
