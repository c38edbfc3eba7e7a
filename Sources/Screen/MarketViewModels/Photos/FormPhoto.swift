package import MarketModel

/// A photo of a form: one that the product has, or a file on its way to become one.
package nonisolated struct FormPhoto: Hashable, Sendable, Identifiable {
  /// The name under which a photo is kept: a random text, or where the product's picture is.
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    init(of picture: Picture) {
      self.init(rawValue: picture.original)
    }
  }

  package enum Content: Hashable, Sendable {
    /// A picture that the product already has.
    case kept(Picture)
    /// The file is being read.
    case reading
    /// Read and shown, but not yet small enough to be sent.
    case encoding(fileBytes: Int)
    /// Fit to be sent.
    case ready(PreparedPhoto)
  }

  package let id: ID
  /// The file's name without its folder; empty for a picture of the product.
  package let name: String
  package internal(set) var content: Content

  package init(id: ID, name: String, content: Content) {
    self.id = id
    self.name = name
    self.content = content
  }

  init(kept picture: Picture) {
    self.init(id: ID(of: picture), name: "", content: .kept(picture))
  }

  /// Whether it can be sent, and kept in a draft.
  var isReady: Bool {
    switch content {
    case .kept, .ready: true
    case .reading, .encoding: false
    }
  }

  /// What a gallery draws; nil while the file is being read.
  package var picture: Picture? {
    switch content {
    case .kept(let picture): picture
    case .reading: nil
    case .encoding, .ready: Picture(original: id.rawValue, thumbnail: id.rawValue)
    }
  }
}

/// A photo that is fit to be sent, with the size of the file it was made of.
package nonisolated struct PreparedPhoto: Hashable, Sendable {
  package let bytes: [UInt8]
  package let fileBytes: Int
  /// Whether that file ended too early, and this is what was there of it.
  package let isCut: Bool

  package init(bytes: [UInt8], fileBytes: Int, isCut: Bool = false) {
    self.bytes = bytes
    self.fileBytes = fileBytes
    self.isCut = isCut
  }
}
