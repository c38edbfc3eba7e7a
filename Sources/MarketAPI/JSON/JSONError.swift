/// Why bytes are no JSON that may be read.
package enum JSONError: Error, Hashable, Sendable {
  /// More arrays and objects inside one another than allowed.
  case tooDeep
  /// More values than a page of the largest size could need many times over.
  case tooManyValues
  /// More than 2 GB.
  case tooLong
  /// A byte that cannot stand where it stands.
  case unexpectedByte(offset: Int)
  case unexpectedEnd
}
