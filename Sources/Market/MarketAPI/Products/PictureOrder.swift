import MarketModel

/// Order of the pictures in an edit on v2.
///
/// Servers of others know only `thumbnail_id`. Ours also accepts `images`: a list of the numbers of pictures
/// that stay, and the word `upload` for each new one, in their new order; the files are parts of the
/// form. Without the list, the files replace all pictures.
enum PictureOrder {
  private static let upload = "upload"

  /// Writes the order, or the number of the thumbnail.
  /// - Throws: `.unsupported` where a picture that stays has no number.
  static func write(
    _ pictures: ProductPatch.Pictures, to writer: inout JSONWriter
  ) throws(RepositoryError) {
    switch pictures {
    case .thumbnail(let number): writer.member("thumbnail_id", number)
    case .list(let elements):
      writer.key("images")
      writer.beginArray()
      for element in elements {
        switch element {
        case .new: writer.string(upload)
        case .kept(let picture):
          guard let number = picture.number else { throw .unsupported }
          writer.integer(number)
        }
      }
      writer.endArray()
    }
  }

  /// Reads the output of `write(_:to:)`; pictures that stay have only their number.
  static func read(_ reader: inout FieldReader) -> ProductPatch.Pictures? {
    var files = reader.pictures()[...]
    if let list = reader.request["images"] {
      guard list.isArray else {
        reader.report(.pictures, .unreadable)
        return nil
      }
      var elements: [ProductPatch.Pictures.Element] = []
      for value in list.elements {
        if let number = value.number?.integer {
          elements.append(.kept(Picture(number: number, original: "", thumbnail: "")))
        } else if value.string == upload, let file = files.popFirst() {
          elements.append(.new(file))
        } else {
          reader.report(.pictures, .unreadable)
        }
      }
      if !files.isEmpty { reader.report(.pictures, .unreadable) }
      return .list(elements)
    }
    if !files.isEmpty { return .list(files.map { .new($0) }) }
    guard let thumbnail = reader.request["thumbnail_id"] else { return nil }
    guard let number = thumbnail.number?.integer else {
      reader.report(.pictures, .unreadable)
      return nil
    }
    return .thumbnail(number: number)
  }
}
