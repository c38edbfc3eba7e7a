/// JSON as it was received (RFC 8259): checked once from end to end, decoded where it is looked at.
///
/// Strings and numbers stay ranges of the received bytes until somebody asks for them, so that a
/// page costs one pass and numbers can be read exactly. A class, because each of its many values
/// refers to it: one count to keep instead of one for each array.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  /// All values in the order of the text; an object holds its keys and values in turn.
  let nodes: [JSONNode]

  /// Checks a text and finds its values.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, perhaps with a byte order mark; white space may follow the value.
  ///   - maximumDepth: how many arrays and objects may be inside one another.
  /// - Throws: at the first byte that is wrong.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    var parser = try JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    self.nodes = try parser.parse()
    self.bytes = bytes
  }

  /// Reads a text that a person wrote, with `//` and `/* */` comments and commas behind the last
  /// member; to its end, whatever is wrong with it.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, at most 2 GB.
  ///   - mistakes: becomes everything that is wrong, in the order of the text.
  package init(handwritten bytes: [UInt8], mistakes: inout [JSONMistake]) {
    do throws(JSONError) {
      var parser = try JSONParser(bytes: bytes, maximumDepth: 64, isHandwritten: true)
      (nodes, mistakes) = parser.parseHandwritten()
      self.bytes = bytes
    } catch {
      mistakes = [JSONMistake(offset: 0, expected: .less)]
      nodes = [JSONNode(kind: .null, start: 0, end: 0, next: 1)]
      self.bytes = []
    }
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }

  /// The line of a place in the text, from 1.
  package func line(at offset: Int) -> Int { bytes.line(at: offset) }
}

/// One value of a document: what it is and which bytes it covers.
struct JSONNode: Sendable {
  enum Kind: UInt8 {
    case object
    case array
    /// Without escapes; the range lies between the quotes.
    case plainString
    /// With escapes that are still to be decoded.
    case escapedString
    case number
    case `true`
    case `false`
    case null
  }

  let kind: Kind
  let start: UInt32
  let end: UInt32
  /// The index of the node that follows this one and all inside it.
  var next: UInt32

  var range: Range<Int> { Int(start)..<Int(end) }
}

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
