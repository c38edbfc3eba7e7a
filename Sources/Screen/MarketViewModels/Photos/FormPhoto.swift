package import MarketModel

/// Photo of a form: a picture of the product, or a file to be sent.
package nonisolated struct FormPhoto: Hashable, Sendable, Identifiable {
  /// Id of a photo: a random token, or the locator of the product's picture.
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    init(of picture: Picture) {
      self.init(rawValue: picture.original)
    }
  }

  /// State of a photo.
  package enum Content: Hashable, Sendable {
    /// Picture of the product.
    case kept(Picture)
    /// The file is being read.
    case reading
    /// Not yet reduced for sending; the gallery draws the file if it can.
    case encoding(fileBytes: Int, isShown: Bool = true)
    /// Ready to be sent.
    case ready(PreparedPhoto)
  }

  package let id: ID
  /// Name of the file without its folder; empty for a picture of the product.
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

  /// Whether the photo can be sent and saved in a draft.
  var isReady: Bool {
    switch content {
    case .kept, .ready: true
    case .reading, .encoding: false
    }
  }

  /// Locator for the gallery; nil while the file is being read.
  package var picture: Picture? {
    switch content {
    case .kept(let picture): picture
    case .reading, .encoding(_, isShown: false): nil
    case .encoding, .ready: Picture(original: id.rawValue, thumbnail: id.rawValue)
    }
  }
}

/// Photo that is ready to be sent, with the size of its file.
package nonisolated struct PreparedPhoto: Hashable, Sendable {
  package let bytes: [UInt8]
  package let fileBytes: Int
  /// Warnings about the file, such as that it is truncated.
  package let hints: [Notice.Hint]

  package init(bytes: [UInt8], fileBytes: Int, hints: [Notice.Hint] = []) {
    self.bytes = bytes
    self.fileBytes = fileBytes
    self.hints = hints
  }
}
