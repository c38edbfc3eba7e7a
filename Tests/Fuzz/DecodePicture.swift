import MarketModel
import PictureKit

/// Decodes libFuzzer's bytes as a picture; this must end soon, in a bitmap or an error.
package func decodePicture(_ bytes: [UInt8]) {
  let limits = DecodingLimits(memory: 16 << 20)
  let box = PixelSize(width: 40, height: 30)
  for framing in [Framing.fit, .fill] {
    let bitmap = try? PictureDecoder(limits: limits).decode(bytes, into: box, framing)
    let size = bitmap?.size ?? box
    precondition(size.width <= box.width && size.height <= box.height)
  }
  if let photo = try? PhotoCleaner(limits: limits).clean(bytes) {
    let header = try? PictureHeader(photo.bytes)
    precondition(header?.size == photo.size && header?.orientation == .upright)
  }
}
