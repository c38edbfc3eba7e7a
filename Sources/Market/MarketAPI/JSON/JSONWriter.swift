import MarketModel

/// Writes JSON directly into bytes, in the order of the calls.
///
/// It inserts commas; the caller balances containers and keys.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  /// Makes an empty text with room for `capacity` bytes.
  package init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  package mutating func beginObject() {
    separate()
    bytes.append(0x7B)
  }

  package mutating func endObject() {
    bytes.append(0x7D)
  }

  package mutating func beginArray() {
    separate()
    bytes.append(0x5B)
  }

  package mutating func endArray() {
    bytes.append(0x5D)
  }

  /// Writes the key of the next value.
  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(0x22)
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(0x22)
    bytes.append(0x3A)
  }

  /// Writes a key that is computed at run time, and needs no escapes.
  package mutating func key(named name: String) {
    separate()
    bytes.append(0x22)
    bytes.append(contentsOf: name.utf8)
    bytes.append(0x22)
    bytes.append(0x3A)
  }

  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string($0) }
  }

  /// Writes a string from the bytes that `write` appends, which must need no escapes.
  mutating func plainString(_ write: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(0x22)
    write(&bytes)
    bytes.append(0x22)
  }

  /// Writes a string from its UTF-8 bytes.
  package mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(0x22)
    JSONEscapes.append(text, to: &bytes)
    bytes.append(0x22)
  }

  package mutating func password(_ password: Password) {
    let bytes = password.withBytes { Array($0) }
    bytes.withUnsafeBufferPointer { string($0) }
  }

  package mutating func integer(_ number: Int64) {
    separate()
    bytes.appendDecimal(number)
  }

  /// Writes an amount in hundredths as a number: `1000`, `12.5`, `2.36`.
  package mutating func amount(hundredths: Int64) {
    separate()
    bytes.appendAmount(hundredths: hundredths)
  }

  package mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Inserts bytes that are a JSON value already.
  package mutating func raw(_ value: [UInt8]) {
    separate()
    bytes.append(contentsOf: value)
  }

  /// Appends a comma where the text so far ends with a value.
  private mutating func separate() {
    switch bytes.last {
    case nil, 0x7B, 0x5B, 0x3A: break
    default: bytes.append(0x2C)
    }
  }

  package mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    string(text)
  }

  package mutating func member(_ key: StaticString, _ number: Int64) {
    self.key(key)
    integer(number)
  }

  package mutating func member(_ key: StaticString, hundredths: Int64) {
    self.key(key)
    amount(hundredths: hundredths)
  }

  package mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  /// Writes a field; one that is nil or absent is left out.
  mutating func member(_ key: StaticString, _ value: FieldValue?) {
    guard let value, value != .absent else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes the value of a field; nothing for an absent one.
  package mutating func value(_ value: FieldValue) {
    switch value {
    case .text(let text), .code(let text): string(text)
    case .amount(let hundredths): amount(hundredths: hundredths)
    case .number(let number): integer(number)
    case .pictures(let locators): strings(locators)
    case .yes: bool(true)
    case .absent: break
    }
  }

  package mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  /// Writes one value under two keys.
  mutating func members(
    _ later: StaticString, _ earlier: StaticString, _ number: Int64
  ) {
    member(later, number)
    member(earlier, number)
  }

  mutating func members(
    _ later: StaticString, _ earlier: StaticString, _ value: Bool
  ) {
    member(later, value)
    member(earlier, value)
  }

  /// Writes seconds since 1970 with a fraction: `1622505600.0`.
  package mutating func seconds(_ seconds: Int64) {
    integer(seconds)
    bytes.append(contentsOf: ".0".utf8)
  }
}
