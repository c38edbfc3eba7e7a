/// Format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Text for people.
  case text
  /// One JSON object a line, for log collectors.
  case json
}
