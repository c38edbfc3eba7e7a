import Testing

/// A request as some client of old sends it, and what it has to be answered.
struct ServingFact: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let message: String
  let status: Int
  /// What the body has to contain.
  let words: String

  init(_ fact: String, _ message: String, _ status: Int, _ words: String) {
    testDescription = fact
    self.message = message
    self.status = status
    self.words = words
  }
}
