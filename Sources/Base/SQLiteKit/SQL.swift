import Synchronization

/// SQL statement with an identity, by which a connection finds its prepared form.
///
/// A literal is identified by its address and `SQL(once:)` by a number, so that a run does not hash
/// the text. A text composed for one run is identified by itself.
package struct SQL: Sendable {
  private enum Content: Sendable {
    case literal(StaticString)
    case made(String)
  }

  /// Identity of a literal or `once` statement; 0 where the text is the identity.
  package let identity: Int
  private let content: Content

  /// Statement composed for one run.
  package init(_ text: String) {
    identity = 0
    content = .made(text)
  }

  /// Statement composed once and stored, such as in a static property.
  package init(once text: String) {
    // Numbers are below all addresses.
    identity = Self.count.add(1, ordering: .relaxed).newValue
    content = .made(text)
  }

  private static let count = Atomic<Int>(0)

  package var text: String {
    switch content {
    case .literal(let literal): literal.description
    case .made(let text): text
    }
  }
}

extension SQL: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    package mutating func appendInterpolation(_ part: some CustomStringConvertible) {
      text += part.description
    }
  }

  package init(stringLiteral literal: StaticString) {
    identity = Int(bitPattern: literal.utf8Start)
    content = .literal(literal)
  }

  package init(stringInterpolation parts: StringInterpolation) { self.init(parts.text) }
}

/// Prepared statements of a connection.
package struct PreparedStatements<Form> {
  private var byIdentity: [Int: Form] = [:]
  private var byText: [String: Form] = [:]

  package init() {}

  package var count: Int { byIdentity.count + byText.count }

  package subscript(_ sql: SQL) -> Form? {
    get { sql.identity == 0 ? byText[sql.text] : byIdentity[sql.identity] }
    set {
      if sql.identity == 0 {
        byText[sql.text] = newValue
      } else {
        byIdentity[sql.identity] = newValue
      }
    }
  }
}

/// Value of a statement's parameter; nil is NULL.
package enum SQLValue: Hashable, Sendable {
  case integer(Int64?)
  case text(String?)
  case blob([UInt8]?)
  case integers([Int64?])
  case texts([String?])
  case blobs([[UInt8]?])
  /// 32-bit numbers.
  case hashes([Int32])

  package static let null = SQLValue.integer(nil)
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }

  package init(stringLiteral value: String) { self = .text(value) }
}
