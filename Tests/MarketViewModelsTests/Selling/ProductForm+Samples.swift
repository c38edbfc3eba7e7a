import EditorKit
import MarketModel
import MarketViewModels

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
    form.editPassword { $0.type("사과나무") }
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
}
