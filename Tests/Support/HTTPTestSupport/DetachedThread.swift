import Glibc

/// Runs a body that blocks on a thread of its own.
///
/// Dispatch adds threads for blocked ones only slowly, which would make every test with a dozen
/// connections wait for seconds.
package func runOnDetachedThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body)).toOpaque()
  let code = pthread_create(
    &thread, nil,
    { box in
      if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
      return nil
    }, box)
  precondition(code == 0, "a test needs few threads")
  pthread_detach(thread)
}
