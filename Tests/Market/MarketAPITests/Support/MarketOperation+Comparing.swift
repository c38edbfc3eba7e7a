import MarketAPI
import MarketModel

extension MarketOperation {
  /// Everything that the operation holds, passwords too, as text: two operations are the same where
  /// their texts are.
  var comparable: String {
    switch self {
    case .health: "health"
    case .page(let request): "page \(request.query.comparable) \(request.position) \(request.size)"
    case .detail(let id): "detail \(id.rawValue)"
    case .register(let registration, let author, let key):
      "register \(registration.comparable) by \(author.comparable) \(key?.rawValue ?? "-")"
    case .verify(let id, let password, let author):
      "verify \(id.rawValue) \(password.comparable) by \(author.comparable)"
    case .update(let update):
      "update \(update.id.rawValue) \(update.patch) \(update.password.comparable) by "
        + "\(update.author.comparable) at \(update.expected?.rawValue ?? "-")"
    case .delete(let id, let password, let author):
      "delete \(id.rawValue) \(password.comparable) by \(author.comparable)"
    case .requestDeletion(let id, let password, let author):
      "requestDeletion \(id.rawValue) \(password.comparable) by \(author.comparable)"
    case .confirmDeletion(let token, let id, let author):
      "confirmDeletion \(token) of \(id?.rawValue ?? -1) by \(author.comparable)"
    case .seller(let identifier): "seller \(identifier.secret)"
    case .changeSeller(let identifier, let change): "change \(identifier.secret) \(change)"
    case .picture(let address): "picture \(address)"
    case .question(let operation): "question \(operation.comparable)"
    case .report(let report, let author): "report \(report) by \(author.comparable)"
    }
  }
}

extension QuestionOperation {
  fileprivate var comparable: String {
    switch self {
    case .page(let request):
      "page \(request.scope) \(request.reader?.secret ?? "-") \(request.after?.rawValue ?? "-") \(request.size)"
    case .ask(let question, let product, let asker, let key):
      "ask \(question) \(product) \(asker.secret) \(key?.rawValue ?? "-")"
    case .answer(let id, let answer, let author, let password):
      "answer \(id) \(answer) \(author.comparable) \(password?.comparable ?? "-")"
    case .delete(let id, let author, let password):
      "delete \(id) \(author.comparable) \(password?.comparable ?? "-")"
    }
  }
}

extension ProductQuery {
  fileprivate var comparable: String {
    let filters = ProductFilter.allCases.filter(filters.contains)
    let choices = ProductField.choices.map { self.choices[$0]?.sorted() ?? [] }
    return "'\(text)' '\(place)' \(choices) \(phrases) \(without) \(price) \(currency as Any) "
      + "\(order) \(filters) \(sellers.map(\.rawValue)) \(since as Any) \(ids as Any)"
  }
}

extension ProductRegistration {
  fileprivate var comparable: String {
    "\(ProductField.allCases.map { self[$0] }) \(pictures) " + password.comparable
  }
}

extension Password {
  var comparable: String { withBytes { String(decoding: Array($0), as: UTF8.self) } }
}

extension Author {
  fileprivate var comparable: String {
    switch self {
    case .guest: "guest"
    case .seller(let identifier): identifier.secret
    }
  }
}
