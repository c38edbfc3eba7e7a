/// Text that is typed for a dialog that did not open; it is dropped until a pause, so that its letters do
/// not run as commands.
package final class RefusedTyping {
  private let clock: any Clock<Duration>
  /// Ends at the next pause; nil where nothing is dropped.
  @Observed private var pause: Task<Void, Never>?

  /// Time without a key after which letters are commands again.
  private static let pauseLength = Duration.milliseconds(150)

  init(clock: any Clock<Duration>) { self.clock = clock }

  package var isDropping: Bool { pause != nil }

  /// Drops what is typed from now until a pause; called again for each dropped key.
  package func drop() {
    pause?.cancel()
    pause = Task.immediate { [weak self, clock] in
      try? await clock.sleep(for: Self.pauseLength)
      if !Task.isCancelled { self?.pause = nil }
    }
  }
}
