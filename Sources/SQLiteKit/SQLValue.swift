/// A value that is bound to a parameter of a statement.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }

  package init(stringLiteral value: String) { self = .text(value) }
}

extension SQLValue {
  /// An integer, or null where there is none.
  package static func integer(orNull value: Int64?) -> SQLValue {
    value.map { .integer($0) } ?? .null
  }
}
