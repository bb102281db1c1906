import Dispatch
import Foundation
import Glibc
import Synchronization

extension WaitingCode {
    static let waits = [
        WaitingCode("semaphore") {
            let semaphore = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter { semaphore.signal() }
            hold(semaphore)
        },
        WaitingCode("semaphore that times out") {
            let semaphore = DispatchSemaphore(value: 0)
            limit(semaphore)
        },
        WaitingCode("four that each wait for a semaphore, the first to be told is the first") {
            let gates = (0..<4).map { _ in DispatchSemaphore(value: 0) }
            let group = DispatchGroup()
            for gate in gates { DispatchQueue.global().async(group: group) { gate.wait() } }
            for (index, gate) in gates.enumerated() {
                let after = DispatchTimeInterval.seconds(900 * (index + 1))
                DispatchQueue.global().asyncAfter(deadline: .now() + after) { gate.signal() }
            }
            hold(group)
        },
        WaitingCode("group.wait") {
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { sleep(3600) }
            hold(group)
        },
        WaitingCode("group.notify") {
            let group = DispatchGroup()
            group.enter()
            DispatchQueue.global().asyncAfter { group.leave() }
            await withCheckedContinuation { done in
                group.notify(queue: .main) { done.resume() }
            }
        },
        WaitingCode("work item: wait") {
            let item = DispatchWorkItem { sleep(3600) }
            DispatchQueue.global().async(execute: item)
            hold(item)
        },
        WaitingCode("work item: notify, and one that was cancelled") {
            let item = DispatchWorkItem { sleep(3600) }
            let cancelled = DispatchWorkItem { sleep(9999) }
            cancelled.cancel()
            let queue = DispatchQueue(label: "items")
            queue.async(execute: cancelled)
            queue.async(execute: item)
            await withCheckedContinuation { done in
                item.notify(queue: .global()) { done.resume() }
            }
        },
    ]

    static let blocking = [
        WaitingCode("sleep") { sleep(3600) },
        WaitingCode("usleep") { for _ in 0..<3600 { usleep(1_000_000) } },
        WaitingCode("Thread.sleep") { pause() },
        WaitingCode("nanosleep") {
            var span = timespec(tv_sec: 3600, tv_nsec: 0)
            nanosleep(&span, nil)
        },
        WaitingCode("poll") { poll(nil, 0, 3_600_000) },
        WaitingCode("NSLock held by a block that sleeps") {
            let lock = NSLock()
            DispatchQueue.global().async {
                lock.lock()
                sleep(3600)
                lock.unlock()
            }
            try await Task.sleep(for: .seconds(1))
            lock.withLock {}
        },
        WaitingCode("NSRecursiveLock held by a block that sleeps") {
            let lock = NSRecursiveLock()
            DispatchQueue.global().async {
                lock.lock()
                lock.lock()
                sleep(3600)
                lock.unlock()
                lock.unlock()
            }
            try await Task.sleep(for: .seconds(1))
            lock.withLock {}
        },
        WaitingCode("Mutex held by a block that sleeps") {
            let mutex = SharedMutex()
            DispatchQueue.global().async { mutex.value.withLock { _ in _ = sleep(3600) } }
            try await Task.sleep(for: .seconds(1))
            mutex.value.withLock { _ in }
        },
        WaitingCode("a lock that is free for a moment, tried for so long") {
            let lock = SharedTimedLock()
            DispatchQueue.global().async {
                lock.take()
                sleep(1800)
                lock.giveBack()
                // Before the one that waits has its turn.
                lock.take()
                sleep(7200)
                lock.giveBack()
            }
            try await Task.sleep(for: .seconds(1))
            precondition(!lock.take(withinSeconds: 3599))
        },
        WaitingCode("a condition that times out") {
            let condition = NSCondition()
            precondition(!condition.withLock { condition.wait(until: .now + 3600) })
        },
        WaitingCode("NSConditionLock") {
            let lock = NSConditionLock(condition: 0)
            DispatchQueue.global().asyncAfter {
                lock.lock()
                lock.unlock(withCondition: 1)
            }
            hold(lock)
        },
        WaitingCode("a lock for readers and writers") {
            let lock = SharedRWLock()
            DispatchQueue.global().async {
                lock.write()
                sleep(3600)
                lock.unlock()
            }
            try await Task.sleep(for: .seconds(1))
            lock.read()
            lock.unlock()
        },
        WaitingCode("select") {
            var span = timeval(tv_sec: 3600, tv_usec: 0)
            select(0, nil, nil, nil, &span)
        },
        WaitingCode("NSCondition") {
            let condition = NSCondition()
            DispatchQueue.global().asyncAfter { condition.withLock { condition.signal() } }
            condition.withLock { condition.wait() }
        },
    ]

    static let timers = [
        WaitingCode("a timer of Dispatch, sixty times") {
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + 60, repeating: 60)
            let count = Atomic<Int>(0)
            await withCheckedContinuation { done in
                timer.setEventHandler {
                    guard count.add(1, ordering: .relaxed).newValue == 60 else { return }
                    timer.cancel()
                    done.resume()
                }
                timer.resume()
            }
        },
        WaitingCode("a timer that is set again") {
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now() + 60)
            await withCheckedContinuation { done in
                timer.setEventHandler { done.resume() }
                timer.activate()
                timer.schedule(deadline: .now() + 3600)
            }
            timer.cancel()
        },
        WaitingCode("clocks") {
            let (before, moment, date) = (DispatchTime.now(), ContinuousClock.now, Date.now)
            sleep(3600)
            var time = timeval()
            gettimeofday(&time, nil)
            precondition(
                DispatchTime.now().uptimeNanoseconds - before.uptimeNanoseconds == 3600_000_000_000)
            precondition(ContinuousClock.now - moment == .seconds(3600))
            precondition(abs(Date.now.timeIntervalSince(date) - 3600) < 0.001)
            precondition(Double(time.tv_sec) - date.timeIntervalSince1970 == 3600)
            precondition(Double(Glibc.time(nil)) - date.timeIntervalSince1970 == 3600)
        },
        WaitingCode("clocks of the system") {
            let before = WaitingCode.clocks.map(WaitingCode.nanoseconds)
            var (usage, spent) = (rusage(), tms())
            let ticks = times(&spent)
            sleep(3600)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            let ticksAfter = times(&spent)
            let after = WaitingCode.clocks.map(WaitingCode.nanoseconds)
            precondition(zip(before, after).allSatisfy { $1 - $0 == 3600_000_000_000 })
            let processors = [CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID]
            precondition(processors.allSatisfy { WaitingCode.nanoseconds($0) == 0 })
            precondition(clock() == 0 && usage.ru_utime.tv_sec == 0 && usage.ru_utime.tv_usec == 0)
            precondition(ticksAfter - ticks == 360_000 && spent.tms_utime == 0)
        },
    ]

    static let operations = [
        WaitingCode("OperationQueue, two at once") {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 2
            for _ in 0..<4 { queue.addOperation { sleep(1800) } }
            drain(queue)
        },
        WaitingCode("operations that depend on each other") {
            let queue = OperationQueue()
            let first = BlockOperation { sleep(1800) }
            let second = BlockOperation { sleep(1800) }
            second.addDependency(first)
            drain(queue, [second, first])
        },
        WaitingCode("an operation on the main queue") {
            await withCheckedContinuation { done in
                OperationQueue.main.addOperation {
                    sleep(3600)
                    done.resume()
                }
            }
        },
    ]

    static let named = [
        WaitingCode("Thread", escape: "Thread") { Thread.detachNewThread {} },
        WaitingCode("a socket", escape: "a connection to") {
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(443).bigEndian
            address.sin_addr.s_addr = UInt32(0x0A00_0001).bigEndian
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            close(file)
        },
        WaitingCode("a datagram", escape: "a connection to") {
            let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x0A00_0001).bigEndian
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(file, "x", 1, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            close(file)
        },
        WaitingCode("a timer of the system", escape: "a timer of the system") { alarm(0) },
        WaitingCode("a process", escape: "a process") {
            var words: [UnsafeMutablePointer<CChar>?] = [nil]
            posix_spawn(nil, "/no/such/program", nil, nil, &words, &words)
        },
        WaitingCode("a look-up of a host", escape: "a look-up of the host") {
            var result: UnsafeMutablePointer<addrinfo>?
            _ = getaddrinfo("api.example.com", nil, nil, &result)
        },
        WaitingCode("Timer", escape: "Timer") { scheduleTimer() },
        WaitingCode("a signal source", escape: "DispatchSource") {
            let source = DispatchSource.makeSignalSource(signal: SIGUSR2)
            source.resume()
            source.cancel()
        },
    ]
}

// Swift asks that these are not called from tasks; clients do, from functions such as these.

private func hold(_ semaphore: DispatchSemaphore) { semaphore.wait() }
private func limit(_ semaphore: DispatchSemaphore) {
    precondition(semaphore.wait(timeout: .now() + .seconds(3600)) == .timedOut)
}
private func hold(_ group: DispatchGroup) { group.wait() }
private func hold(_ item: DispatchWorkItem) { item.wait() }
private func hold(_ lock: NSConditionLock) {
    // Without a limit Foundation on Linux traps, in real life too.
    precondition(lock.lock(whenCondition: 1, before: .now + 7200))
    lock.unlock()
}
private func pause() { Thread.sleep(forTimeInterval: 3600) }
private func drain(_ queue: OperationQueue, _ operations: [Operation]) {
    queue.addOperations(operations, waitUntilFinished: true)
}
private func drain(_ queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
private func scheduleTimer() {
    _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in }
}

extension WaitingCode {
    static let clocks = [
        CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE,
        CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
    ]

    static func nanoseconds(_ clock: Int32) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A lock of the C library, which several blocks share.
final class SharedRWLock: @unchecked Sendable {
    // Safe because a lock is there to be shared.

    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { pthread_rwlock_init(lock, nil) }

    deinit { lock.deallocate() }

    func read() { pthread_rwlock_rdlock(lock) }
    func write() { pthread_rwlock_wrlock(lock) }
    func unlock() { pthread_rwlock_unlock(lock) }
}

/// A lock of the C library that is waited for until a moment.
final class SharedTimedLock: @unchecked Sendable {
    // Safe because a lock is there to be shared.

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(lock, nil) }

    deinit { lock.deallocate() }

    func take() { pthread_mutex_lock(lock) }
    func giveBack() { pthread_mutex_unlock(lock) }

    func take(withinSeconds span: Int) -> Bool {
        var moment = timespec()
        clock_gettime(CLOCK_REALTIME, &moment)
        moment.tv_sec += span
        return pthread_mutex_timedlock(lock, &moment) == 0
    }
}

final class SharedMutex: Sendable {
    let value = Mutex(0)
}
