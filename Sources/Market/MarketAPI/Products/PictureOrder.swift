import MarketModel

/// Order of the pictures in an edit on v2.
///
/// Servers of others know only `thumbnail_id`. Ours also accepts `images`: a list of the numbers of pictures
/// that stay, and the word `upload` for each new one, in their new order; the files are parts of the
/// form. Without the list, the files replace all pictures.
struct PictureOrder {
  private enum Element {
    case kept(number: Int64)
    case upload
  }

  private var elements: [Element]?
  private var thumbnail: Int64?
  private(set) var files: [[UInt8]] = []

  private static let upload = "upload"

  /// Nil where a picture that stays has no number.
  init?(_ pictures: ProductPatch.Pictures?) {
    switch pictures {
    case nil: break
    case .thumbnail(let number): thumbnail = number
    case .list(let list):
      var elements: [Element] = []
      for element in list {
        switch element {
        case .new(let bytes):
          elements.append(.upload)
          files.append(bytes)
        case .kept(let picture):
          guard let number = picture.number else { return nil }
          elements.append(.kept(number: number))
        }
      }
      self.elements = elements
    }
  }

  func write(to writer: inout JSONWriter) {
    if let thumbnail { writer.member("thumbnail_id", thumbnail) }
    guard let elements else { return }
    writer.key("images")
    writer.beginArray()
    for element in elements {
      switch element {
      case .kept(let number): writer.integer(number)
      case .upload: writer.string(Self.upload)
      }
    }
    writer.endArray()
  }

  /// Reads the output of `write(to:)`; pictures that stay have only their number.
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
