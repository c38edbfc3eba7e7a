import MarketModel

/// Call over the wire: what a client wants and a server is asked, whatever the dialect.
///
/// A dialect writes an operation as a request and reads a request as the same operation; where it
/// needs several requests for one operation, each of them is read as an operation of its own.
package enum MarketOperation: Sendable {
  /// Is there a market at all? (v2)
  case health
  case page(PageRequest)
  case detail(Product.ID)
  /// The key is nil where the client sent none.
  case register(ProductRegistration, Author, IdempotencyKey?)
  /// An edit that names nothing but the password: it changes nothing and answers the product.
  case verify(Product.ID, Password, Author)
  case update(ProductUpdate)
  /// Deletes a product by its password, in as many requests as the dialect needs.
  case delete(Product.ID, Password, Author)
  /// Trades a password for a token to delete by: the first of two requests.
  case requestDeletion(Product.ID, Password, Author)
  /// Deletes by a token: the second of two requests. The product is nil where the request names the
  /// token alone.
  case confirmDeletion(token: String, of: Product.ID?, Author)
  /// The seller behind an identifier (an addition of ours).
  case seller(SellerIdentifier)
  /// Another name for the seller (an addition of ours).
  case changeSeller(SellerIdentifier, SellerChange)
  case picture(PictureAddress)
  /// What is asked and answered (an addition of ours).
  case question(QuestionOperation)

  /// Whether a password or an identifier decides if the operation may be done.
  var isGuardedByPassword: Bool {
    switch self {
    case .verify, .update, .delete, .requestDeletion, .confirmDeletion: true
    case .question(let operation): operation.isGuarded
    case .health, .page, .detail, .register, .seller, .changeSeller, .picture: false
    }
  }

  /// Whether the operation names a product, seller or picture that may be missing.
  var isAboutOneThing: Bool {
    switch self {
    case .health, .page, .register: false
    case .detail, .verify, .update, .delete, .requestDeletion, .confirmDeletion, .seller,
      .changeSeller, .picture, .question:
      true
    }
  }

  /// Whether there is no product any more once it is done.
  var endsProduct: Bool {
    switch self {
    case .delete, .confirmDeletion: true
    case .health, .page, .detail, .register, .verify, .update, .requestDeletion, .seller,
      .changeSeller,
      .picture, .question:
      false
    }
  }
}

/// Edit of one product.
package struct ProductUpdate: Sendable {
  package var id: Product.ID
  package var patch: ProductPatch
  package var password: Password
  package var author: Author
  /// The version that was read; nil changes whatever is there.
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

/// Outcome of an operation: what a server writes as an answer and a client reads from it.
package enum MarketResult: Sendable {
  case healthy
  case page(ProductPage)
  /// A product that was asked for, registered, verified, changed or deleted.
  case detail(ProductDetail)
  /// The token of a deletion that may be confirmed: letters, digits, `-`, `_` and `.` only.
  case deletionToken(String)
  case seller(Seller)
  /// A picture file that never changes, or where it is.
  case picture(ServedPicture)
  case questions(QuestionPage)
  case question(Question)
  /// A question was deleted.
  case questionDeleted
}

/// Reason why a request is no operation.
package enum RequestProblem: Error, Hashable, Sendable {
  /// No dialect has such a path.
  case unknownRoute
  /// The path exists for these methods only.
  case methodNotAllowed([HTTPMethod])
  /// A part of the request that is no field of a product cannot be used: a parameter, a header or
  /// the body, by its name.
  case malformed(part: String, reason: String)
  /// The fields of the product that are missing or cannot be read.
  case invalid([FieldError])
  /// The same of a question.
  case invalidQuestion([FieldError])

  /// Text whose bytes are not UTF-8; nothing of it is kept repaired.
  static func notUTF8(part: String) -> RequestProblem {
    .malformed(part: part, reason: "not UTF-8")
  }
}

extension PagePosition {
  /// The page of a number; the first is the beginning itself, so that cursors can go on from it.
  static func page(_ number: Int) -> PagePosition { number == 1 ? .first : .number(number) }

  /// The number that is echoed: 1 for the first page and where a cursor hides it.
  package var pageNumber: Int {
    if case .number(let number) = self { number } else { 1 }
  }
}

extension Product.ID {
  /// Reads a word of a path; nil for anything but decimal digits that fit.
  package init?(segment: String) {
    guard segment.utf8.allSatisfy({ $0.decimalDigit != nil }), let number = Int64(segment) else {
      return nil
    }
    self.init(rawValue: number)
  }
}
