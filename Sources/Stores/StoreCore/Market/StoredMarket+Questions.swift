import MarketModel
import SQLiteKit

/// Questions of a market in a SQL database.
extension StoredMarket {
  package func questions(
    _ request: QuestionsRequest
  ) async throws(RepositoryError) -> QuestionPage {
    let key = request.reader.map { SellerKey($0) }
    let page: Outcome<QuestionPage> = try await read(.oneState) { database throws(StoreError) in
      if case .product(let id) = request.scope, try database.products.listed([id]).isEmpty {
        return .failure(.notFound)
      }
      let reader = try key.flatMap { key throws(StoreError) in try database.sellers.known(key)?.id }
      let page = try database.questions.page(request, reader: reader)
      return page.map { .success($0) } ?? .failure(.unknownCursor)
    }
    return try page.get()
  }

  package func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question {
    let problems = QuestionRules.problems(of: question)
    guard problems.isEmpty else { throw .invalid(problems) }
    let (seller, now) = (SellerKey(asker), now())
    let intent = QuestionIntent(question, about: product, key: key)
    // The key makes a question unique, however often it is sent.
    return try await write(isRepeatable: true) { database throws(StoreError) in
      // A concurrent block waits for this transaction, and then hides the question.
      try database.sellers.lock(seller)
      if try database.read(database.sellers.isBlocked(seller)) { return .failure(.blocked) }
      let known = try database.sellers.known(seller)
      if let known, let earlier = try database.questionKeys.answer(to: intent, by: known) {
        return earlier
      }
      guard let detail = try database.products.lockedDetail(of: product) else {
        return .failure(.notFound)
      }
      if let refusal = Question.refusal(about: detail, by: known?.id) {
        return .failure(.questionRefused(refusal))
      }
      let size = try database.questions.size(of: product)
      let bytes = size.bytes + Int64(question.text.utf8.count)
      guard size.count < QuestionRules.perProduct, bytes <= QuestionRules.bytesPerProduct else {
        return .failure(.questionRefused(.full))
      }
      if let known {
        let wait = try database.questions.waitSeconds(of: known.id, about: product, now: now)
        guard wait == 0 else {
          return .failure(.tooManyRequests(retryAfterSeconds: Int(clamping: wait)))
        }
      }
      let price = detail.product.pricing.price?.toPay
      let problems = QuestionRules.problems(of: question, price: price)
      guard problems.isEmpty else { return .failure(.invalid(problems)) }
      let asker = try database.sellers.seller(seller).id
      let currency = question.offerHundredths.flatMap { _ in price?.currency }
      let id = try database.questions.insert(
        question, about: detail, by: asker, in: currency, now: now)
      try database.questionKeys.insert(intent, by: asker, for: id, in: currency, now: now)
      let asked = try database.questions.question(id, reader: known?.id).orDamaged()
      try database.questions.log(.asked, asked)
      var own = asked.question
      own.isOwn = true
      return .success(own)
    }
  }

  package func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question {
    // A reservation is an edit, which needs the product's password.
    if answer.reserves, password == nil { throw .wrongPassword }
    // Before the text is checked: an error about the text would reveal that the password is right.
    try await checkSeller(ofQuestion: id, author, password)
    let problems = QuestionRules.problems(of: answer)
    guard problems.isEmpty else { throw .invalid(problems) }
    let (now, tokenizer) = (now(), tokenizer)
    return try await write(isRepeatable: false) { database throws(StoreError) in
      guard let product = try database.questions.question(id)?.question.product,
        let detail = try database.products.lockedDetail(of: product),
        let stored = try database.questions.locked(id), !stored.isHidden
      else { return .failure(.notFound) }
      if let given = stored.question.answer, given.text != answer.text,
        now > given.given.seconds + Question.editableSeconds
      {
        return .failure(.questionRefused(.tooLate))
      }
      if answer.reserves, detail.product.isSoldOut {
        return .failure(.questionRefused(.sold))
      }
      var question = stored.question
      if question.answer?.text != answer.text {
        let added = answer.text.utf8.count - (question.answer?.text.utf8.count ?? 0)
        let bytes = try database.questions.size(of: product).bytes + Int64(added)
        if added > 0, bytes > QuestionRules.bytesPerProduct {
          return .failure(.questionRefused(.full))
        }
        try database.questions.setAnswer(answer.text, of: stored, now: now)
        question.answer = Question.Answer(
          text: answer.text, given: question.answer?.given ?? Timestamp(seconds: now))
        try database.questions.log(.answered, stored)
      }
      if answer.reserves, !detail.product.isReserved {
        var patch = ProductPatch()
        patch.isReserved = true
        try database.changes.apply(patch, to: detail, files: [], now: now, tokenizer)
      }
      return .success(question)
    }
  }

  package func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError) {
    var isSeller = password != nil
    if password == nil, let key = author.sellerKey {
      isSeller = try await read(.statements) { database throws(StoreError) in
        try database.questions.question(id).map { stored throws(StoreError) in
          try database.sellers.known(key)?.id == stored.seller
        } ?? false
      }
    }
    if isSeller { try await checkSeller(ofQuestion: id, author, password) }
    try await delete(id, by: isSeller ? nil : author)
  }

  package func questions(
    by asker: Seller.ID?, below id: Question.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [ArchivedQuestion] {
    try await read(.statements) { database throws(StoreError) in
      try database.questions.archived(by: asker, below: id, atMost: limit)
    }
  }

  package func removeQuestion(_ id: Question.ID) async throws(RepositoryError) {
    try await delete(id, by: nil)
  }

  /// Deletes a question; `asker` may delete only its own, nil may delete any.
  /// - Throws: `.notFound`; for an asker also `.notOwner`, `.blocked`, and `.questionRefused(.answered)`
  ///   after an answer.
  private func delete(
    _ id: Question.ID, by asker: Author?
  ) async throws(RepositoryError) {
    try await write(isRepeatable: false) { database throws(StoreError) -> Outcome<Void> in
      guard let stored = try database.questions.locked(id) else { return .failure(.notFound) }
      if let asker {
        guard let key = asker.sellerKey, stored.askerHash == key.hash else {
          return .failure(.notOwner)
        }
        guard !stored.isHidden else { return .failure(.blocked) }
        guard stored.question.answer == nil else { return .failure(.questionRefused(.answered)) }
      }
      try database.questions.delete(stored)
      try database.questions.log(.deleted, stored)
      return .success(())
    }
  }

  package func product(ofQuestion id: Question.ID) async throws(RepositoryError) -> Product.ID {
    let product = try await read(.statements) { database throws(StoreError) in
      try database.questions.question(id)?.question.product
    }
    guard let product else { throw .notFound }
    return product
  }

  /// Checks that an author sells the product of a question, by the product's password, whatever the
  /// author's identifier, or, where that is nil, by the identifier of its seller.
  /// - Throws: `.notFound`, `.notOwner`, `.blocked` or `.wrongPassword`.
  private func checkSeller(
    ofQuestion id: Question.ID, _ author: Author, _ password: Password?
  ) async throws(RepositoryError) {
    let product = try await product(ofQuestion: id)
    if let password { return try await verify(password, for: product, by: .guest) }
    let lock = try await read(.statements) { $0.products.lock(of: product, for: author) }
    guard let lock else { throw .notFound }
    guard let key = author.sellerKey, key.hash == lock.identifierHash else { throw .notOwner }
    if let refusal = lock.refusal(of: author) { throw refusal }
  }
}
