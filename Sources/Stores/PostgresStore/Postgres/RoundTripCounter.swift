/// Ways to the database and back that a task waits for, for whoever counts them.
///
/// A database is often in another building, and each way there and back costs as much as many statements.
enum RoundTripCounter {
  /// What is told of each; nil where nobody counts.
  @TaskLocal static var observer: (@Sendable () -> Void)?
}
