/// Decoded pixels: rows top to bottom, each left to right, 4 bytes a pixel in the order red, green,
/// blue, alpha (not premultiplied), sRGB.
package struct Bitmap: Hashable, Sendable {
  package let size: PixelSize
  /// `size.width * size.height * 4` bytes.
  package let pixels: [UInt8]

  package init(size: PixelSize, pixels: [UInt8]) {
    precondition(pixels.count == size.pixelCount * 4, "a bitmap has four bytes a pixel")
    self.size = size
    self.pixels = pixels
  }

  package var byteCount: Int { pixels.count }
}
