import Glibc

/// How a program ended.
package enum ProcessExit: Hashable, Sendable {
  case exited(status: Int32)
  case killed(signal: Int32)

  /// Reads the word that `wait` fills (wait(2); its macros are not visible to Swift).
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited(status: waitStatus >> 8 & 0xff) : .killed(signal: signal)
  }
}

/// What a program used in its whole life.
package struct ProcessUsage: Sendable {
  package let processorTime: Duration
  package let peakMemoryKilobytes: Int

  init(_ usage: rusage) {
    processorTime = Duration(usage.ru_utime) + Duration(usage.ru_stime)
    peakMemoryKilobytes = usage.ru_maxrss
  }
}

extension Duration {
  fileprivate init(_ time: timeval) {
    self = .seconds(time.tv_sec) + .microseconds(Int(time.tv_usec))
  }
}
