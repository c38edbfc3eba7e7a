import TerminalTestSupport

/// A program to measure, and the keys that mean the same in all of them.
struct Subject {
  let name: String
  let command: [String]
  let environment: [String: String]
  var size = TerminalSize(columns: 100, rows: 50)
  /// What the first useful screen contains; none where any opening burst is it.
  var firstScreenMarker: [UInt8]?
  var end = Probe.End.silence(.milliseconds(30))
  /// Brings the program from its opening screen to a long list with the first row selected.
  var prepare: (Probe) throws -> Void = { _ in }
  var down: KeyScript = "j"
  /// Whether the selection moves before the list scrolls; else every key scrolls.
  var hasSelection = true
  /// Whether the list is longer than the screen.
  var scrolls = true
  /// Opens something that Esc closes at once.
  var opener: KeyScript?
  var quit: KeyScript = "q"
}
