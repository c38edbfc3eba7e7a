import TerminalKit

/// Feeds libFuzzer's bytes as terminal input: cutting the input anywhere must not change what
/// it means, and after a pause a key is a key again.
package func decodeKeys(_ bytes: [UInt8]) {
  var whole = KeyDecoder()
  let events = whole.feed(bytes)

  var cut = KeyDecoder()
  let half = bytes.first.map { Int($0) * bytes.count / 256 } ?? 0
  let parts = cut.feed(Array(bytes[..<half])) + cut.feed(Array(bytes[half...]))
  precondition(parts == events, "where the input is cut changes it")

  var single = KeyDecoder()
  precondition(bytes.flatMap { single.feed([$0]) } == events, "byte by byte it is something else")

  _ = whole.timeout(after: .seconds(60))
  precondition(whole.timeout == nil, "nothing is pending after a pause")
}
