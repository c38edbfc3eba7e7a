internal import CSodium

/// libsodium, which wants to be made ready before anything else of it is called.
///
/// It then chooses the fastest code that the processor has, by which a password costs little more
/// than half, and opens the source of random bytes before two threads can do so at once.
enum Sodium {
  /// Returns at once where it is ready.
  static func prepare() {
    precondition(isReady, "the system has no random bytes")
  }

  private static let isReady = sodium_init() >= 0
}
