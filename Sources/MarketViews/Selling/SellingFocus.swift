internal import MarketModel
internal import MarketViewModels

/// What has the keys while something is sold.
enum SellingFocus: Hashable, Sendable {
  // The form.
  case photos, line, currency, description, secret
  // What lies over it.
  case password, sellerName, photoPath, picker, currencies, drafts, conflict, sending
  case question(isDestructive: Bool)

  /// - Parameter selling: what is going on; without anything it counts as waiting.
  init(of selling: SellingModel?) {
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
    switch form.focus {
    case .pictures: self = .photos
    case .name, .price, .discount, .stock: self = .line
    case .currency: self = .currency
    case .description: self = .description
    case .password: self = .secret
    }
  }

  /// Whether letters are text here.
  var isText: Bool {
    switch self {
    case .line, .description, .secret, .password, .sellerName, .photoPath: true
    case .photos, .currency, .picker, .currencies, .drafts, .conflict, .sending, .question: false
    }
  }
}
