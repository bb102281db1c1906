// A test that imports this module has what it needs to say what its world is made of. What travels
// is left out: this package calls it as Foundation does.

@_exported public import SquallBackend
@_exported public import SquallServices
@_exported public import struct SquallKernel.Distribution
@_exported public import struct SquallKernel.FirstInFirstOut
@_exported public import struct SquallKernel.Instant
@_exported public import struct SquallKernel.RandomSchedule
@_exported public import struct SquallKernel.ReplayedSchedule
@_exported public import protocol SquallKernel.SchedulingPolicy
@_exported public import enum SquallKernel.SimulationError
