import MarketViewModels
import Synchronization

/// Hands the progress of uploads on to whoever shows it, who comes later than the connection.
nonisolated final class UploadRelay: Sendable {
  private let observer = Mutex<(@Sendable (UploadProgress) -> Void)?>(nil)

  func follow(_ observer: @escaping @Sendable (UploadProgress) -> Void) {
    self.observer.withLock { $0 = observer }
  }

  func tell(_ progress: UploadProgress) {
    observer.withLock { $0 }?(progress)
  }
}
