internal import MarketModel
package import MarketViewModels

/// What has the keys while something is sold.
package enum SellingFocus: Hashable, Sendable {
  // The form.
  case photos, line, currency, description, secret
  // What lies over it.
  case password, sellerName, photoPath, picker, currencies, drafts, conflict, sending
  case question(isDestructive: Bool)

  /// - Parameter selling: what is going on; without anything it counts as waiting.
  package init(of selling: SellingModel?) {
    switch selling?.dialog {
    case .password: self = .password
    case .sellerName: self = .sellerName
    case .photoPath: self = .photoPath
    case .picker: self = .picker
    case .currency: self = .currencies
    case .drafts: self = .drafts
    case .conflict: self = .conflict
    case .sending: self = .sending
    case .question(let question): self = .question(isDestructive: question.isDestructive)
    case nil: self = selling?.form.map { SellingFocus(of: $0) } ?? .sending
    }
  }

  private init(of form: ProductForm) {
    switch form[form.focus] {
    case .photos: self = .photos
    case .line, .number: self = .line
    case .choice: self = .currency
    case .area: self = .description
    case .secret: self = .secret
    }
  }

  /// Whether letters are text here.
  package var isText: Bool {
    switch self {
    case .line, .description, .secret, .password, .sellerName, .photoPath: true
    case .photos, .currency, .picker, .currencies, .drafts, .conflict, .sending, .question: false
    }
  }
}
