import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit
import StoreCore
import TextCoding

/// Commands that ask, answer, print and delete questions; all exit.
extension ScriptCommands {
  /// Asks about a product and prints the question.
  func ask(_ id: Product.ID, _ text: String) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      let text = readText(text)
      // The key makes a script that runs again after a lost response ask the same only once a day.
      let words = [String(id.rawValue), options.selling.offer ?? "", text]
      let day = SystemTime.now().seconds / QuestionRules.periodSeconds
      let key = ContentHash.of((["ask", String(day)] + words).joined(separator: "\n"))
      do throws(HeadlessSelling.Failure) {
        printer.print(
          try await selling(services(on: source)).ask(
            text, offering: options.selling.offer, about: id, as: options.selling.sellerName,
            key: IdempotencyKey(rawValue: Hexadecimal.text(of: key.prefix(16)))))
        return 0
      } catch {
        try fail(error)
      }
    }
  }

  func answer(_ id: Question.ID, _ text: String) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      let reserves = options.selling.reserves
      let problems = text == "-" ? [] : QuestionRules.problems(of: NewAnswer(text: text))
      guard problems.isEmpty else { throw .invalid(problems) }
      // Read after the password, if both come on standard input.
      var answer: NewAnswer?
      return try await authorize(id, at: source, needsPassword: reserves) {
        author, password throws(RepositoryError) in
        let new = answer ?? NewAnswer(text: readText(text), reserves: reserves)
        answer = new
        printer.print(
          try await source.repository.answer(id, with: new, by: author, password: password))
      }
    }
  }

  func deleteQuestion(_ id: Question.ID) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      try await authorize(id, at: source, needsPassword: false) {
        author, password throws(RepositoryError) in
        try await source.repository.deleteQuestion(id, by: author, password: password)
        Console.say(strings[.soldDeleted])
      }
    }
  }

  /// Reports a product or, with `--question`, a question to the market's operators.
  func report(_ number: Int64, _ reason: Report.Reason) async -> Never {
    await run { source throws(RepositoryError) in
      guard try await source.repository.capabilities().hasReports else {
        Console.warn(strings[.reportsLacking])
        return ExitStatus.failure
      }
      let selling = options.selling
      let subject: Report.Subject =
        selling.reportsQuestion
        ? .question(Question.ID(rawValue: number)) : .product(Product.ID(rawValue: number))
      let report = NewReport(subject, reason, text: selling.reportText)
      if let problem = report.problems.first {
        Console.warn(
          strings[.reportText] + ": "
            + ProblemText.text(problem.problem, of: problem.field, strings))
        return ExitStatus.failure
      }
      do throws(RepositoryError) {
        let author = await source.accounts.account()?.author ?? .guest
        try await source.repository.report(report, by: author)
      } catch .notFound {
        let missing: Phrase = selling.reportsQuestion ? .operatorNoQuestion : .operatorNoProduct
        Console.warn(strings(missing, SafeText(number)))
        return ExitStatus.notFound
      }
      Console.say(strings[.hintReported])
      return 0
    }
  }

  /// Prints the questions about a product; without one, those received or asked by the seller account
  /// here.
  func questions(about product: Product.ID?) async -> Never {
    await runWithQuestions { source throws(RepositoryError) in
      let (listing, account) = (options.listing, await source.accounts.known())
      // Without an account here there are no questions either.
      let own =
        listing.onlyOwn ? [.asked] : account?.received(onlyUnanswered: listing.onlyUnanswered)
      let limit = listing.limit ?? .max
      var printed: Set<Question.ID> = []
      for scope in product.map({ [.product($0)] }) ?? own ?? [] {
        var request = QuestionsRequest(
          scope, by: account?.identifier, size: QuestionsRequest.sizes.upperBound)
        while printed.count < limit {
          let page = try await source.repository.questions(request)
          let wanted = page.questions.filter { question in
            (!listing.onlyUnanswered || question.answer == nil)
              && (!listing.onlyOwn || question.isOwn) && !printed.contains(question.id)
          }.prefix(limit - printed.count)
          for question in wanted { printer.print(question) }
          printed.formUnion(wanted.map(\.id))
          guard let next = page.next, !page.questions.isEmpty else { break }
          request.after = next
        }
      }
      if printed.isEmpty { Console.warn(strings[.questionsNone]) }
      return 0
    }
  }

  /// Runs `body` as the seller account, then with the product's password if that is needed or the
  /// account is not the owner; returns the exit status.
  /// - Throws: what `body` throws, but for `.notFound`.
  private func authorize(
    _ id: Question.ID, at source: MarketSource, needsPassword: Bool,
    _ body: (Author, Password?) async throws(RepositoryError) -> Void
  ) async throws(RepositoryError) -> Int32 {
    let author = await source.accounts.account()?.author ?? .guest
    do throws(RepositoryError) {
      do throws(RepositoryError) {
        guard !needsPassword else { throw .notOwner }
        try await body(author, nil)
      } catch .notOwner {
        let password = Password(readPassword())
        defer { password.wipe() }
        try await body(author, password)
      }
      return 0
    } catch .notFound {
      Console.warn(strings(.operatorNoQuestion, SafeText(id.rawValue)))
      return ExitStatus.notFound
    }
  }

  /// Runs `body` if the market has questions, prints invalid fields, and exits.
  private func runWithQuestions(
    _ body: (MarketSource) async throws(RepositoryError) -> Int32
  ) async -> Never {
    await run { source throws(RepositoryError) in
      if try await source.repository.capabilities().hasQuestions {
        do throws(RepositoryError) { return try await body(source) } catch {
          guard case .invalid(let errors) = error, let first = errors.first else { throw error }
          Console.warn(
            strings[first.field == .price ? .questionOffer : .questionText] + ": "
              + ProblemText.text(first.problem, of: first.field, inQuestion: true, strings))
        }
      } else {
        Console.warn(strings[.questionsLacking])
      }
      return ExitStatus.failure
    }
  }
}
