/// What the answer to a GET depends on beside the market's data.
struct AnswerKey: Hashable, Sendable {
  /// As the request line holds it.
  let target: String
  /// What the addresses in the answer begin with.
  let base: String
}
