import HTTPTestSupport
import TestSupport

/// How a server's answers come through.
enum SoakFaultInjector: CaseIterable {
  case fair
  /// The server says that something in it broke.
  case errors
  /// Answers end in their middle.
  case halves
  /// Answers are anything but what was asked for.
  case garbage
  /// The first part of an answer comes byte by byte.
  case trickle
  /// Nothing comes, and nothing ends.
  case silence

  /// What becomes of an answer.
  ///
  /// - Parameters:
  ///   - answer: the bytes of the whole answer, head and body.
  ///   - random: decides where an answer is cut and what garbage is.
  /// - Returns: what happens on the connection.
  func steps(for answer: [UInt8], using random: inout SeededRandom) -> [ServerStep] {
    switch self {
    case .fair: return [.sendBytes(answer)]
    case .errors:
      let status = [500, 502, 503, 429, 404].randomElement(using: &random) ?? 500
      return [.answer(status, #"{"error":"\u001b]0;broken"}"#)]
    case .halves:
      return [
        .sendBytes(Array(answer.prefix(.random(in: 0...answer.count, using: &random)))), .close,
      ]
    case .garbage:
      let bytes = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      return Bool.random(using: &random)
        ? [.sendBytes(bytes), .close] : [.answer(bytes: bytes)]
    case .trickle:
      let head = answer.prefix(.random(in: 1...100, using: &random))
      return [
        .trickle(String(decoding: head, as: UTF8.self), everyMilliseconds: 20),
        .sendBytes(Array(answer.dropFirst(head.count))),
      ]
    case .silence: return [.stall]
    }
  }
}
