package import Testing

/// Records an issue with both values where they differ.
///
/// This is `#expect(actual == expected)` at a fifth of what the macro costs to compile.
package func expect<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard actual != expected else { return }
  let lines = [comment()?.rawValue] + difference(text(of: actual), text(of: expected))
  Issue.record(
    Comment(rawValue: lines.compactMap(\.self).joined(separator: "\n")),
    sourceLocation: sourceLocation)
}

/// Both values on a line each, and where long ones begin to differ.
private func difference(_ actual: String, _ expected: String) -> [String] {
  let values = [actual, expected]
  let same = zip(actual, expected).prefix { $0 == $1 }.count
  let parts = same < 60 ? [] : values.map { "…" + $0.dropFirst(same - 20).prefix(60) }
  return zip(["actual:   ", "expected: "], values).map(+)
    + zip(["differs: ", "from:    "], parts).map(+)
}

/// A value as a failure shows it; a string in quotes, without what a terminal would obey.
private func text(of value: some Any) -> String {
  value is any StringProtocol ? String(reflecting: value) : String(describingForTest: value)
}
