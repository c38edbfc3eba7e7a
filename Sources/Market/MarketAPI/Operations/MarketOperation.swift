import MarketModel

/// Operation that a client requests and a server performs, independent of the dialect.
///
/// A dialect writes an operation as a request and reads it back as the same operation; where it needs
/// several requests for one operation, each is read as an operation of its own.
package enum MarketOperation: Sendable {
  /// Checks whether there is a market (v2).
  case health
  case page(PageRequest)
  case detail(Product.ID)
  /// The key is nil where the client sent none.
  case register(ProductRegistration, Author, IdempotencyKey?)
  /// An edit without changes: checks the password, and returns the product.
  case verify(Product.ID, Password, Author)
  case update(ProductUpdate)
  /// Deletes a product by its password, in as many requests as the dialect needs.
  case delete(Product.ID, Password, Author)
  /// Exchanges a password for a deletion token: the first of two requests.
  case requestDeletion(Product.ID, Password, Author)
  /// Deletes by a token: the second of two requests; the product is nil where the request has only the
  /// token.
  case confirmDeletion(token: String, of: Product.ID?, Author)
  /// The seller of an identifier (our addition).
  case seller(SellerIdentifier)
  /// Changes the seller's name or contact (our addition).
  case changeSeller(SellerIdentifier, SellerChange)
  case picture(PictureAddress)
  /// Questions and answers (our addition).
  case question(QuestionOperation)
  /// A report to the operators (our addition).
  case report(NewReport, Author)

  /// Whether a password or an identifier authorizes the operation.
  var isGuardedByPassword: Bool {
    switch self {
    case .verify, .update, .delete, .requestDeletion, .confirmDeletion, .question(.answer),
      .question(.delete):
      true
    case .health, .page, .detail, .register, .seller, .changeSeller, .picture, .question(.page),
      .question(.ask), .report:
      false
    }
  }

  /// Whether the operation names a product, seller or picture, which may not exist.
  var isAboutOneThing: Bool {
    switch self {
    case .health, .page, .register: false
    case .detail, .verify, .update, .delete, .requestDeletion, .confirmDeletion, .seller,
      .changeSeller, .picture, .question, .report:
      true
    }
  }
}

/// Operation on questions.
package enum QuestionOperation: Sendable {
  case page(QuestionsRequest)
  /// The key is nil where the client sent none.
  case ask(NewQuestion, about: Product.ID, by: SellerIdentifier, IdempotencyKey?)
  case answer(Question.ID, NewAnswer, Author, Password?)
  case delete(Question.ID, Author, Password?)
}

/// Edit of one product, with the credentials that authorize it.
package struct ProductUpdate: Sendable {
  package var id: Product.ID
  package var patch: ProductPatch
  package var password: Password
  package var author: Author
  /// The version that the client has read; nil changes any version.
  package var expected: ProductVersion?

  package init(
    id: Product.ID, patch: ProductPatch, password: Password, author: Author,
    expected: ProductVersion? = nil
  ) {
    self.id = id
    self.patch = patch
    self.password = password
    self.author = author
    self.expected = expected
  }
}

/// Result of an operation: a server writes it as a response, and a client reads it.
package enum MarketResult: Sendable {
  case healthy
  case page(ProductPage)
  /// A requested, registered, verified, changed or deleted product.
  case detail(ProductDetail)
  /// The token of a deletion to be confirmed: letters, digits, `-`, `_` and `.` only.
  case deletionToken(String)
  case seller(Seller)
  /// An immutable picture file, or its address.
  case picture(ServedPicture)
  case questions(QuestionPage)
  case question(Question)
  case questionDeleted
  case reported
}

/// Reason why a request is not an operation.
package enum RequestProblem: Error, Hashable, Sendable {
  /// No dialect has this path.
  case unknownRoute
  /// The path exists for these methods only.
  case methodNotAllowed([HTTPMethod])
  /// A parameter, a header or the body, by its name, cannot be used.
  case malformed(part: String, reason: String)
  /// The product fields that are missing or unreadable.
  case invalid([FieldError])
  /// The question fields that are missing or unreadable.
  case invalidQuestion([FieldError])
  /// The fields of a report that are missing or unreadable.
  case invalidReport([FieldError])

  /// Text that is not UTF-8; it is rejected, not repaired.
  static func notUTF8(part: String) -> RequestProblem {
    .malformed(part: part, reason: "not UTF-8")
  }
}

extension PagePosition {
  /// The page of a number; the first is `.first`, so that cursors can continue it.
  static func page(_ number: Int) -> PagePosition { number == 1 ? .first : .number(number) }

  /// Page number for the response, from 1; always 1 for a cursor.
  package var pageNumber: Int {
    if case .number(let number) = self { number } else { 1 }
  }
}

extension Product.ID {
  /// Reads a path segment; nil for anything but decimal digits within range.
  package init?(segment: String) {
    guard segment.utf8.allSatisfy({ $0.decimalDigit != nil }), let number = Int64(segment) else {
      return nil
    }
    self.init(rawValue: number)
  }
}
