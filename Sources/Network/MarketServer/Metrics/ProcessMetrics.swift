import Glibc
import MarketModel

/// Metrics of this process, under the usual Prometheus names.
enum ProcessMetrics {
  /// Samples of a process that started at a time in seconds since 1970.
  static func samples(since start: Int) -> [MetricSample] {
    [
      MetricSample(.residentBytes, .number(residentBytes)),
      MetricSample(.processorTime, .number(processorSeconds)),
      MetricSample(.descriptors, .number(descriptorCount)),
      MetricSample(.descriptorLimit, .number(descriptorLimit)),
      MetricSample(.startTime, .number(Double(start))),
    ]
  }

  /// Resident size in bytes, from the second number of `/proc/self/statm` (proc(5)); 0 if unreadable.
  private static var residentBytes: Double {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(
      decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    )
    .split(separator: " ")
    let pages = words.count > 1 ? Int(words[1]) ?? 0 : 0
    return Double(pages * sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var processorSeconds: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }

  /// Number of entries in `/proc/self/fd`, without the one that reads it; 0 if unreadable.
  private static var descriptorCount: Double {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      // Names of descriptors are numbers.
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return Double(max(0, count - 1))
  }

  private static var descriptorLimit: Double {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Double(limit.rlim_cur)
  }
}
