/// What a JPEG file says about its picture.
struct JPEGHeader: Hashable {
  let frame: JPEGFrame
  let orientation: PictureOrientation
  /// How often the decoder walks over the picture; 1 where a single scan holds all components.
  let scanCount: Int

  /// Whether the decoder has to hold the coefficients of the whole picture.
  var needsCoefficients: Bool { frame.isProgressive || scanCount > 1 }

  init?(_ bytes: [UInt8]) {
    var frame: JPEGFrame?
    var exif: EXIFBlock?
    var scans = 0
    segments: for segment in JPEGSegments(bytes) {
      switch segment.marker {
      case 0xE1 where exif == nil:
        exif = EXIFBlock(bytes[segment.payload])
      case let marker where JPEGSegments.Marker.isFrame(marker):
        // A second frame is an error to libjpeg as well.
        guard frame == nil else { return nil }
        frame = JPEGFrame(segment, of: bytes)
      case JPEGSegments.Marker.startOfScan:
        guard let frame, let components = bytes[segment.payload].first else { return nil }
        scans += 1
        if frame.isWhole(inScanOf: Int(components)) { break segments }
      default: break
      }
    }
    guard let frame, scans > 0 else { return nil }
    self.frame = frame
    orientation = exif?.orientation ?? .upright
    scanCount = scans
  }
}

extension JPEGFrame {
  /// Whether one scan of so many components holds all of the picture.
  fileprivate func isWhole(inScanOf components: Int) -> Bool {
    !isProgressive && components >= self.components.count
  }
}
