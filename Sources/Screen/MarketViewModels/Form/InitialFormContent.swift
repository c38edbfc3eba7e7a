internal import MarketModel

/// Contents with which a new product's form begins; leaving it as it is loses nothing.
package nonisolated struct InitialFormContent: Hashable, Sendable {
  package var values: FormValues
  package private(set) var photos: [FormPhoto]
  /// Whether the currency is one that nobody has chosen, so that an amount may name another.
  package private(set) var proposesCurrency = false

  /// An empty form, with what fields hold at first.
  package init() {
    var values = FormValues()
    for field in FormValues.fields { values[field] = FormRules[field].initial }
    self.init(values, photos: [])
    proposesCurrency = true
  }

  package init(_ values: FormValues, photos: [FormPhoto]) {
    self.values = values
    self.photos = photos.filter { if case .ready = $0.content { true } else { false } }
    self.values.photos = self.photos.map(\.id)
  }
}

/// What a new product's form is filled from.
enum FormSource {
  /// A product of the market, with its photos.
  case product(Product.ID)
  case template(Draft)
  /// Nothing but the currency of what was sold just now.
  case another(Currency)
}

/// A form that was filled from something that is there.
struct OpenedForm {
  let form: ProductForm
  /// Whether the market could not be asked what it takes.
  let isGuessed: Bool
  /// Which photos of the product could not be read, counted from 1.
  let lostPhotos: [Int]
}
