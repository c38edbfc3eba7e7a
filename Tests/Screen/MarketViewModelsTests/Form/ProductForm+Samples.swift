import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport

extension RepositoryCapabilities {
  /// What a market takes that has none of the fields that came later.
  static var withUniversalFields: RepositoryCapabilities {
    var capabilities = RepositoryCapabilities.full
    capabilities.lackingFields = Set(ProductField.allCases.filter { !$0.isInEveryMarket })
    return capabilities
  }
}

extension ProductForm {
  /// A registration in which everything keeps the rules.
  static func filled() -> ProductForm {
    var form = ProductForm(.registration, capabilities: .full)
    form.editPhotos { photos in
      _ = photos.add(FormPhoto.ID(rawValue: "1"), name: "bike.jpg")
      photos.update(
        FormPhoto.ID(rawValue: "1"), to: .ready(PreparedPhoto(bytes: [1, 2, 3], fileBytes: 9)))
    }
    form.write("로드 자전거", in: .name)
    form.write("240,000원", in: .price)
    form.write("작년에 사서 출퇴근에만 탔습니다.", in: .description)
    form.setPassword("사과나무")
    return form
  }

  mutating func write(_ text: String, in field: ProductField) {
    focus(field)
    edit(TextChange { $0.paste(text) })
  }

  mutating func clear(_ field: ProductField) {
    focus(field)
    edit(TextChange { $0.move(.textEnd) })
    edit(
      TextChange { editor in
        while !editor.text.isEmpty { editor.delete(.left) }
      })
  }

  /// Puts the sample of a field into it, in the place of what is there.
  mutating func enterSample(of field: ProductField) {
    let sample = FieldSample[field]
    focus(field)
    switch self[field] {
    case .line, .area, .number:
      clear(field)
      write(sample.text, in: field)
    case .choice: choose(sample.text)
    case .secret: setPassword(sample.text)
    case .photos:
      let photos = ["photo:front", "photo:back"].map { name in
        FormPhoto(
          id: FormPhoto.ID(rawValue: name), name: name,
          content: .ready(PreparedPhoto(bytes: Array(name.utf8), fileBytes: 9)))
      }
      editPhotos { $0 = PhotoList(photos) }
    }
  }
}
