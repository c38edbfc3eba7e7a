/// One script that leads the tables to their next version, in steps of which each is done once.
///
/// A statement ends with `;` at the end of a line; a line that begins with `--` says something to
/// people.
struct SchemaScript {
  enum Step: Equatable {
    /// Statements that are run in one transaction.
    case statements([String])
    /// An index, which is made while others write, outside of any transaction.
    case index(SchemaIndex)
  }

  let steps: [Step]

  init(_ bytes: [UInt8]) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  init(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("--") }
    let statements = (lines.joined(separator: "\n") + "\n").split(separator: ";\n").map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    var steps: [Step] = []
    for statement in statements {
      if let index = SchemaIndex(madeBy: statement) {
        steps.append(.index(index))
      } else if case .statements(let before) = steps.last {
        steps[steps.count - 1] = .statements(before + [statement])
      } else {
        steps.append(.statements([statement]))
      }
    }
    self.steps = steps
  }
}

/// An index that a script makes.
struct SchemaIndex: Equatable {
  let name: String
  /// What makes it without keeping anybody from writing.
  let concurrentStatement: String
  /// What makes it in a transaction, on tables that nobody uses yet.
  let statement: String

  /// Nil where the statement makes something else.
  init?(madeBy statement: String) {
    let words = statement.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.first == "CREATE" else { return nil }
    let isUnique = words.dropFirst().first == "UNIQUE"
    let rest = words.dropFirst(isUnique ? 2 : 1)
    guard rest.first == "INDEX", let name = rest.dropFirst().first else { return nil }
    self.name = name
    self.statement = statement
    let kind = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    concurrentStatement = kind + " CONCURRENTLY " + rest.dropFirst().joined(separator: " ")
  }
}
