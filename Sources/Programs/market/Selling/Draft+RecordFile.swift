import MarketModel
import MarketViewModels

/// Coding of a draft as a record file; its photos are files beside it.
nonisolated extension Draft {
  private static let format = "1"

  var records: RecordFile {
    var records = RecordFile()
    records.add("version", Self.format)
    if case .edit(let id) = target { records.add("product", String(id.rawValue)) }
    if case .answer(let question) = target {
      records.add("answers", String(question.id.rawValue))
      records.add("question", question.text)
      records.add("askedAt", String(question.asked.seconds))
      if let asker = question.asker { records.add("asker", asker) }
      if let offer = question.offer {
        records.add("offer", String(offer.hundredths))
        records.add("offerCurrency", offer.currency.rawValue)
      }
    }
    if let asked = target.asked { records.add("asks", String(asked.rawValue)) }
    if let version { records.add("productVersion", version.rawValue) }
    records.add("key", key.rawValue)
    records.add("changed", String(changed.seconds))
    if wasSent { records.add("sent", "yes") }
    if isWaiting { records.add("waiting", "yes") }
    if let templateName { records.add("template", templateName) }
    for field in FormValues.fields { records.add(field.rawValue, values[field]) }
    for field in changedFields { records.add("edits", field.rawValue) }
    records.add("focus", focus.rawValue)
    for (field, position) in carets { records.add("caret", "\(field.rawValue) \(position)") }
    for photo in values.photos { records.add("photo", photo.line) }
    return records
  }

  /// Reads a draft; nil for an unknown format.
  ///
  /// Photos without a file are left out.
  init?(
    _ id: ID, _ records: RecordFile, photoBytes: (FormPhoto.ID) -> [UInt8]?
  ) {
    guard records.first("version") == Self.format, let key = records.first("key"),
      let seconds = records.first("changed").flatMap({ Int64($0) })
    else { return nil }
    let photos = records.all("photo").compactMap { FormPhoto(line: $0, bytes: photoBytes) }
    var texts: [ProductField: String] = [:]
    for field in FormValues.fields { texts[field] = records.first(field.rawValue) }
    func number(_ name: String) -> Int64? { records.first(name).flatMap { Int64($0) } }
    let asked = number("asks").map(Product.ID.init(rawValue:))
    let target: Target =
      if let asked, let question = number("answers") {
        .answer(
          Question(
            id: Question.ID(rawValue: question), product: asked,
            text: records.first("question") ?? "",
            offer: number("offer").map {
              Money(
                hundredths: $0, currency: Currency(rawValue: records.first("offerCurrency") ?? ""))
            },
            asker: records.first("asker"),
            asked: Timestamp(seconds: number("askedAt") ?? seconds)))
      } else if let asked {
        .question(asked)
      } else {
        number("product").map { .edit(Product.ID(rawValue: $0)) } ?? .registration
      }
    self.init(
      id: id, target: target,
      key: IdempotencyKey(rawValue: key),
      version: records.first("productVersion").map(ProductVersion.init(rawValue:)),
      wasSent: records.first("sent") != nil, isWaiting: records.first("waiting") != nil,
      templateName: records.first("template"),
      values: FormValues(texts, photos: photos),
      changedFields: Set(records.all("edits").compactMap(ProductField.init(rawValue:))),
      focus: records.first("focus").flatMap(ProductField.init(rawValue:)) ?? .name,
      carets: Self.carets(records.all("caret")),
      changed: Timestamp(seconds: seconds))
  }

  private static func carets(_ lines: [String]) -> [ProductField: Int] {
    var carets: [ProductField: Int] = [:]
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let field = ProductField(rawValue: String(words[0])) else {
        continue
      }
      carets[field] = Int(words[1])
    }
    return carets
  }
}

nonisolated extension FormPhoto {
  /// Record of a photo: kind, location and details, separated by tabs.
  fileprivate var line: String {
    switch content {
    case .kept(let picture):
      let number = picture.number.map { String($0) } ?? ""
      return ["kept", picture.original, picture.thumbnail, number].joined(separator: "\t")
    case .ready(let photo):
      return ["file", id.rawValue, String(photo.fileBytes), name].joined(separator: "\t")
    case .reading, .encoding: return ""
    }
  }

  fileprivate init?(line: String, bytes: (ID) -> [UInt8]?) {
    let parts = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count == 4 else { return nil }
    switch parts[0] {
    case "kept":
      let picture = Picture(number: Int64(parts[3]), original: parts[1], thumbnail: parts[2])
      self.init(id: ID(rawValue: parts[1]), name: "", content: .kept(picture))
    case "file":
      let id = ID(rawValue: parts[1])
      guard let fileBytes = Int(parts[2]), let bytes = bytes(id) else { return nil }
      self.init(
        id: id, name: parts[3],
        content: .ready(PreparedPhoto(bytes: bytes, fileBytes: fileBytes)))
    default: return nil
    }
  }
}
