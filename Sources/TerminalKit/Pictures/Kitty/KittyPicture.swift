/// A picture for terminals with kitty's graphics protocol.
package struct KittyPicture: Sendable {
  /// A PNG file of our own making, in base 64.
  let file: [UInt8]
  /// Memory that the terminal needs for it.
  let decodedByteCount: Int

  /// - Parameters:
  ///   - png: a file that the program has encoded itself.
  ///   - width: pixels in a row.
  ///   - height: rows of pixels.
  package init(png: [UInt8], width: Int, height: Int) {
    file = Base64.encode(png)
    decodedByteCount = width * height * 4
  }
}
