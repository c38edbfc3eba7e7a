import Dispatch
import Glibc

/// Somebody wants the program to stop: SIGTERM, or SIGINT from a terminal.
struct StopSignal {
  private let signals: AsyncStream<Void>

  init() {
    let queue = DispatchQueue(label: "market.server.signals")
    signals = AsyncStream { continuation in
      let sources = [SIGTERM, SIGINT].map { number in
        // Without this the default action ends the process first.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { continuation.yield() }
        source.activate()
        return source
      }
      nonisolated(unsafe) let kept = sources
      continuation.onTermination = { _ in for source in kept { source.cancel() } }
    }
  }

  /// Returns when one has come; one that came before counts.
  func wait() async {
    for await _ in signals { return }
  }
}
