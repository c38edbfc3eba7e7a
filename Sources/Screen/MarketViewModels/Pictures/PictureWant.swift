package import MarketModel

/// A picture at the size in which it is to be drawn; the identity under which it is kept.
package nonisolated struct PictureWant: Hashable, Sendable {
  /// How the picture meets its box.
  package enum Fit: Hashable, Sendable {
    /// All of it, with the rest of the box left free.
    case whole
    /// The whole box, with what does not fit cut off at the edges.
    case cover
  }

  package let picture: Picture
  package let rendition: PictureRendition
  /// The box in pixels of the drawing, whose shape decides how a cell is cut into them.
  package let box: PixelSize
  package let fit: Fit

  package init(picture: Picture, rendition: PictureRendition, box: PixelSize, fit: Fit) {
    self.picture = picture
    self.rendition = rendition
    self.box = box
    self.fit = fit
  }
}

/// A picture made ready for the screen; only the views know what is in it.
package nonisolated protocol DrawablePicture: Sendable {
  /// Memory that it holds, in bytes.
  var byteCount: Int { get }
}

/// The port that makes pictures ready: reads, decodes and cuts them, away from the main actor.
package nonisolated protocol PictureLoader: Sendable {
  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture
}
