import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels

/// The runs that ask, answer, print and delete questions.
extension ScriptCommands {
  /// Asks about a product and prints the question.
  func ask(_ id: Product.ID, _ text: String) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      do throws(HeadlessSelling.Failure) {
        printer.print(
          try await selling(services(on: source)).ask(
            readText(text), offering: options.selling.offer, about: id,
            as: options.selling.sellerName))
        return 0
      } catch {
        if case .repository(let error) = error { throw error }
        Console.warn(self.text(of: error))
        return ExitStatus.failure
      }
    }
  }

  /// Answers a question and prints it.
  func answer(_ id: Question.ID, _ text: String) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      let reserves = options.selling.reserves
      let problems = text == "-" ? [] : QuestionRules.problems(of: NewAnswer(text: text))
      guard problems.isEmpty else { throw .invalidQuestion(problems) }
      // Behind the password, where that comes along.
      var answer: NewAnswer?
      try await authorized(at: source, needsPassword: reserves) {
        author, password throws(RepositoryError) in
        let new = answer ?? NewAnswer(text: readText(text), reserves: reserves)
        answer = new
        printer.print(
          try await source.repository.answer(id, with: new, by: author, password: password))
      }
      return 0
    }
  }

  /// Deletes a question.
  func deleteQuestion(_ id: Question.ID) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      try await authorized(at: source, needsPassword: false) {
        author, password throws(RepositoryError) in
        try await source.repository.deleteQuestion(id, by: author, password: password)
      }
      Console.say(strings[.soldDeleted])
      return 0
    }
  }

  /// Prints the questions about a product, else those about what is sold from here, or asked from here.
  func questions(about product: Product.ID?) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      let (listing, account) = (options.listing, await source.accounts.known())
      var left = listing.limit ?? .max
      var printed: Set<Question.ID> = []
      for scope in scopes(product, account) {
        var request = QuestionsRequest(
          scope, by: account?.identifier, size: QuestionsRequest.sizes.upperBound)
        repeat {
          let page = try await source.repository.questions(request)
          for question in page.questions where left > 0 {
            guard !listing.onlyUnanswered || question.answer == nil,
              !listing.onlyOwn || question.isOwn, printed.insert(question.id).inserted
            else { continue }
            printer.print(question)
            left -= 1
          }
          request.after = page.questions.isEmpty ? nil : page.next
        } while request.after != nil && left > 0
      }
      if printed.isEmpty { Console.warn(strings[.questionsNone]) }
      return 0
    }
  }

  /// What is read, one after the other: products that were registered without the identifier are named.
  private func scopes(
    _ product: Product.ID?, _ account: SellerAccount?
  ) -> [QuestionsRequest.Scope] {
    if let product { return [.product(product)] }
    guard let account else { return [] }
    if options.listing.onlyOwn { return [.asked] }
    let ids = account.registered
    return [.received(onlyUnanswered: options.listing.onlyUnanswered)]
      + stride(from: 0, to: ids.count, by: ProductQuery.maxIDs).map {
        .unanswered(Array(ids[$0...].prefix(ProductQuery.maxIDs)))
      }
  }

  /// Runs a body by the identifier, and by the product's password where that is needed or the identifier
  /// is another's.
  private func authorized(
    at source: MarketSource, needsPassword: Bool,
    _ body: (Author, Password?) async throws(RepositoryError) -> Void
  ) async throws(RepositoryError) {
    let author = await source.accounts.account()?.author ?? .guest
    if !needsPassword {
      do throws(RepositoryError) { return try await body(author, nil) } catch .notOwner {}
    }
    let password = Password(readPassword())
    defer { password.wipe() }
    try await body(author, password)
  }

  /// Runs a body where the market has questions.
  private func runWithQuestions(
    _ body: (MarketSource) async throws(RepositoryError) -> Int32
  ) async -> Never {
    await run { source throws(RepositoryError) in
      if try await source.repository.capabilities().hasQuestions { return try await body(source) }
      Console.warn(strings[.questionsLacking])
      return ExitStatus.failure
    }
  }
}
