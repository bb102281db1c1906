import SquallKernel

/// Faults that strike at an instant, and capacity that changes at one.
extension Backend {
    func scheduleFaults() {
        let announced = faults.announced
        let began = simulation.register { [unowned self] index in
            strike(announced[Int(index)])
            observer.faultStruck(announced[Int(index)].fault)
        }
        let ended = simulation.register { [unowned self] _ in changeCapacity() }
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
        case .wire, .work, .service, .clocks: break  // Asked whenever a request comes by.
        }
    }
}
