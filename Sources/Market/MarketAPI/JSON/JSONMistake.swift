/// Something that is wrong with a JSON text that a person wrote.
package struct JSONMistake: Hashable, Sendable {
  /// What should stand there instead.
  package enum Expected: Hashable, Sendable {
    case value
    /// The name of a member, in quotes.
    case key
    case colon
    /// A comma, or the bracket that ends the object or the array.
    case comma
    /// The end of a string.
    case quote
    /// A letter that may follow a backslash, or four hexadecimal digits.
    case escape
    /// The brackets that are still open.
    case closing
    /// The end of a comment.
    case commentEnd
    /// Nothing more.
    case end
    /// Fewer brackets inside each other.
    case less
  }

  /// In bytes; the end of the text where something is missing there.
  package let offset: Int
  package let expected: Expected
}
