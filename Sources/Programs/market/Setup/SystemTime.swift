import Glibc
import MarketModel

/// The system's clock, as the ages of products are counted from it.
nonisolated enum SystemTime {
  static func now() -> Timestamp {
    Timestamp(seconds: Int64(time(nil)))
  }
}
