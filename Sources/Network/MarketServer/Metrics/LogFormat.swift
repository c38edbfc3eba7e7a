/// Form of the lines of a log.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Words for people.
  case text
  /// A JSON object on each line, for programs that gather logs.
  case json
}
