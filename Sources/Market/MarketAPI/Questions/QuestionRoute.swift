import MarketModel

/// The paths of questions, written and read by one definition.
enum QuestionRoute: Hashable {
  /// `/api/products/:id/questions`
  case ofProduct(Product.ID)
  /// `/api/questions`
  case all
  /// `/api/questions/:id`
  case one(Question.ID)
  /// `/api/questions/:id/answer`
  case answer(Question.ID)
  /// `/api/questions/:id/deletion`
  case deletion(Question.ID)

  var target: RequestTarget {
    switch self {
    case .ofProduct(let id):
      RequestTarget(segments: ["api", "products", String(id.rawValue), "questions"])
    case .all: "/api/questions"
    case .one(let id): RequestTarget(segments: ["api", "questions", String(id.rawValue)])
    case .answer(let id):
      RequestTarget(segments: ["api", "questions", String(id.rawValue), "answer"])
    case .deletion(let id):
      RequestTarget(segments: ["api", "questions", String(id.rawValue), "deletion"])
    }
  }

  /// Reads the segments of a path; nil for another path.
  ///
  /// A DELETE of a product has a token after the number, which may be any word.
  init?(segments: [String], method: HTTPMethod) {
    guard segments.count >= 2, segments[0].lowercased() == "api" else { return nil }
    switch (segments[1].lowercased(), segments.count) {
    case ("products", 4) where segments[3] == "questions" && method != .delete:
      guard let id = Product.ID(segment: segments[2]) else { return nil }
      self = .ofProduct(id)
    case ("questions", 2): self = .all
    case ("questions", 3...4):
      guard let number = Product.ID(segment: segments[2])?.rawValue else { return nil }
      let id = Question.ID(rawValue: number)
      switch segments.count == 3 ? "" : segments[3] {
      case "": self = .one(id)
      case "answer": self = .answer(id)
      case "deletion": self = .deletion(id)
      default: return nil
      }
    default: return nil
    }
  }

  var methods: [HTTPMethod] {
    switch self {
    case .ofProduct: [.get, .head, .post]
    case .all: [.get, .head]
    case .one: [.delete]
    case .answer: [.put]
    case .deletion: [.post]
    }
  }
}
