import CommandKit
import Glibc
import MarketModel
import MarketStrings
import Posix
import SafeTextKit

/// Runs an operator's request, and writes a log line for each action or refusal.
package struct OperatorCommand: Sendable {
  /// Result of a request: its output and its exit status.
  package struct Outcome: Sendable {
    /// Lines of standard output.
    package var sentences: [SafeText] = []
    /// Lines for standard error.
    package var complaints: [SafeText] = []
    /// Exit status: 1 where the market refuses, 4 where there is no such product, question or seller.
    package var status: Int32 = 0
  }

  private static let refused: Int32 = 1
  private static let notThere: Int32 = 4

  private let order: OperatorRequest
  private let strings: Strings
  private let log: @Sendable (String) -> Void
  private let progress = ProgressLine()

  /// Log lines go to standard error, as a server's do.
  package init(
    _ order: OperatorRequest, _ strings: Strings,
    log: @escaping @Sendable (String) -> Void = OperatorCommand.writeToStandardError
  ) {
    self.order = order
    self.strings = strings
    self.log = log
  }

  /// Runs the request and closes the market; `secret` is the input line for the request's `secret`, nil
  /// for a request without one.
  /// - Throws: the market's error, except `.notFound` and an invalid password, which are in the outcome.
  package func run(
    on market: any OperatedMarket & MarketArchive, secret: String?
  ) async throws(RepositoryError) -> Outcome {
    do throws(RepositoryError) {
      let outcome = try await outcome(on: market, secret)
      await market.close()
      return outcome
    } catch {
      await market.close()
      throw error
    }
  }

  private func outcome(
    on market: any OperatedMarket, _ secret: String?
  ) async throws(RepositoryError) -> Outcome {
    switch order {
    case .setSeller(let number, let name):
      guard let identifier = secret.flatMap(SellerIdentifier.init(entered:)) else {
        return errorMessage(strings[.identityUnreadable], Self.refused)
      }
      return report(try await market.setSeller(identifier, number: number, name: name))
    case .remove(let ids):
      var outcome = Outcome()
      for id in ids { try await remove(id, from: market, &outcome) }
      return outcome
    case .listQuestions(let asker):
      try await forEachQuestion(by: asker, of: market) { Console.say(Self.line($0)) }
      return Outcome()
    case .removeQuestions(var ids, let asker):
      if let asker {
        try await forEachQuestion(by: asker, of: market) { ids.append($0.question.id) }
      }
      var outcome = Outcome()
      for id in ids { try await remove(id, from: market, &outcome) }
      return outcome
    case .reports(let action, let ids): return try await work(action, on: ids, of: market)
    case .setPassword(let id):
      return try await setPassword(Password(secret ?? ""), of: id, at: market)
    case .setBlocked(let isBlocked, let id):
      return try await setBlocked(isBlocked, id, at: market)
    case .movePictures(let direction):
      let count = try await market.movePictures(direction) { progress.show($0, share: nil) }
      progress.end()
      record("pictures-move \(direction.rawValue) \(count)", "ok")
      return Outcome(sentences: [
        strings.counted(direction == .outward ? .picturesMovedOut : .picturesMovedIn, count)
      ])
    }
  }

  private func report(_ setting: SellerSetting) -> Outcome {
    switch setting {
    case .set(let seller):
      record("seller-set \(seller.id.rawValue)", "ok")
      return Outcome(sentences: [
        strings(.operatorSellerSet, SafeText(seller.name), SafeText(seller.id.rawValue))
      ])
    case .numberTaken:
      record("seller-set", "taken")
      return errorMessage(strings[.operatorNumberTaken], Self.refused)
    case .sells(let seller):
      record("seller-set \(seller.id.rawValue)", "has-products")
      return errorMessage(
        strings(.operatorHasProducts, SafeText(seller.id.rawValue)), Self.refused)
    }
  }

  private func remove(
    _ id: Product.ID, from market: any OperatedMarket, _ outcome: inout Outcome
  ) async throws(RepositoryError) {
    try await remove("remove", id.rawValue, missing: .operatorNoProduct, &outcome) {
      () throws(RepositoryError) in
      let detail = try await market.remove(id)
      return strings(.operatorRemoved, SafeText(id.rawValue), SafeText(detail.product.name))
    }
  }

  private func remove(
    _ id: Question.ID, from market: any OperatedMarket, _ outcome: inout Outcome
  ) async throws(RepositoryError) {
    try await remove("question-remove", id.rawValue, missing: .operatorNoQuestion, &outcome) {
      () throws(RepositoryError) in
      try await market.removeQuestion(id)
      return strings(.operatorQuestionRemoved, SafeText(id.rawValue))
    }
  }

  /// Deletes an object by its id; `body` returns the sentence about it.
  private func remove(
    _ what: String, _ id: Int64, missing: Phrase, _ outcome: inout Outcome,
    _ body: () async throws(RepositoryError) -> SafeText
  ) async throws(RepositoryError) {
    do {
      outcome.sentences.append(try await body())
      record("\(what) \(id)", "ok")
    } catch .notFound {
      record("\(what) \(id)", "not-found")
      outcome.complaints.append(strings(missing, SafeText(id)))
      outcome.status = Self.notThere
    }
  }

  /// Calls `body` for the questions of an asker, nil is all, the newest first.
  private func forEachQuestion(
    by asker: Seller.ID?, of market: any OperatedMarket,
    _ body: (ArchivedQuestion) -> Void
  ) async throws(RepositoryError) {
    var last: Question.ID?
    repeat {
      let page = try await market.questions(by: asker, below: last, atMost: 100)
      page.forEach(body)
      last = page.last?.question.id
    } while last != nil
  }

  /// Prints the open reports, or deals with some of them.
  private func work(
    _ action: OperatorRequest.ReportAction, on ids: [Report.ID], of market: any OperatedMarket
  ) async throws(RepositoryError) -> Outcome {
    var outcome = Outcome()
    if action == .list {
      var last: Report.ID?
      repeat {
        let page = try await market.reports(below: last, atMost: 100)
        for report in page { Console.say(Self.line(report)) }
        last = page.last?.id
      } while last != nil
    }
    for id in ids {
      try await remove(
        "report-\(action.rawValue)", id.rawValue, missing: .operatorNoReport, &outcome
      ) {
        () throws(RepositoryError) in
        try await deal(with: try await market.report(id), by: action, at: market)
      }
    }
    return outcome
  }

  /// Deletes what is reported, blocks its author or dismisses the report; returns the sentence about it.
  private func deal(
    with report: Report, by action: OperatorRequest.ReportAction, at market: any OperatedMarket
  ) async throws(RepositoryError) -> SafeText {
    switch (action, report.subject) {
    case (.delete, .product(let id)):
      let detail = try await market.remove(id)
      return strings(.operatorRemoved, SafeText(id.rawValue), SafeText(detail.product.name))
    case (.delete, .question(let id)):
      try await market.removeQuestion(id)
      return strings(.operatorQuestionRemoved, SafeText(id.rawValue))
    case (.block, _):
      // *Guest* is everybody without an identifier.
      guard report.author != Seller.guest.id else { return strings[.operatorReportOfGuest] }
      let seller = try await market.setBlocked(true, report.author)
      try await market.dismissReport(report.id)
      return strings(.operatorBlocked, SafeText(seller.name), SafeText(seller.id.rawValue))
    case (.dismiss, _), (.list, _):
      try await market.dismissReport(report.id)
      return strings(.operatorReportDismissed, SafeText(report.id.rawValue))
    }
  }

  /// Number, `product` or `question` with its number, its author's number, reason, text, the reporter's
  /// number, time and what is reported, separated by tabs.
  private static func line(_ report: Report) -> String {
    let subject =
      switch report.subject {
      case .product(let id): "product \(id.rawValue)"
      case .question(let id): "question \(id.rawValue)"
      }
    let fields: [SafeText] = [
      SafeText(report.id.rawValue), SafeText(subject), SafeText(report.author.rawValue),
      SafeText(report.reason.rawValue), SafeText(report.text), SafeText(report.reporter.rawValue),
      SafeText(ISOTime.text(of: report.reported.seconds)), SafeText(report.content),
    ]
    return fields.map(\.string).joined(separator: "\t")
  }

  /// Number, product, the asker's number and name, time, offer, text and answer, separated by tabs.
  private static func line(_ archived: ArchivedQuestion) -> String {
    let question = archived.question
    let fields: [SafeText] = [
      SafeText(question.id.rawValue), SafeText(question.product.rawValue),
      SafeText(archived.asker.id?.rawValue ?? 0), SafeText(archived.asker.name),
      SafeText(ISOTime.text(of: question.asked.seconds)),
      question.offer.map { MoneyText.text($0) } ?? .empty, SafeText(question.text),
      SafeText(question.answer?.text ?? ""),
    ]
    return fields.map(\.string).joined(separator: "\t")
  }

  private func setPassword(
    _ password: Password, of id: Product.ID, at market: any OperatedMarket
  ) async throws(RepositoryError) -> Outcome {
    let what = "password-set \(id.rawValue)"
    do {
      let product = try await market.setPassword(password, of: id)
      record(what, "ok")
      return Outcome(sentences: [
        strings(.operatorPasswordSet, SafeText(id.rawValue), SafeText(product.name))
      ])
    } catch .notFound {
      record(what, "not-found")
      return errorMessage(strings(.operatorNoProduct, SafeText(id.rawValue)), Self.notThere)
    } catch .invalid(let errors) {
      record(what, "invalid")
      let problems = errors.map { ProblemText.text($0.problem, of: $0.field, strings) }
      return errorMessage(
        strings[ProductField.password.phrase] + ": " + problems.joined(separator: ", "), 1)
    }
  }

  private func setBlocked(
    _ isBlocked: Bool, _ id: Seller.ID, at market: any OperatedMarket
  ) async throws(RepositoryError) -> Outcome {
    let what = "seller-\(isBlocked ? "block" : "unblock") \(id.rawValue)"
    do {
      let seller = try await market.setBlocked(isBlocked, id)
      record(what, "ok")
      return Outcome(sentences: [
        strings(
          isBlocked ? .operatorBlocked : .operatorUnblocked, SafeText(seller.name),
          SafeText(id.rawValue))
      ])
    } catch .notFound {
      record(what, "not-found")
      return errorMessage(strings(.operatorNoSeller, SafeText(id.rawValue)), Self.notThere)
    }
  }

  private func errorMessage(_ sentence: SafeText, _ status: Int32) -> Outcome {
    Outcome(complaints: [sentence], status: status)
  }

  /// Writes a line in the format of a server's log: time, actor, action and result.
  private func record(_ what: String, _ outcome: String) {
    log("\(ISOTime.text(of: Int64(time(nil)))) operator \(what) \(outcome)")
  }

  /// Writes a log line to standard error, unless that is a terminal, where the sentence is enough.
  package static func writeToStandardError(_ line: String) {
    guard isatty(STDERR_FILENO) == 0 else { return }
    try? FileDescriptorIO.writeAll(Array((line + "\n").utf8), to: STDERR_FILENO)
  }
}

/// Request of an operator to a market.
package enum OperatorRequest: Hashable, Sendable {
  /// Sets the number and name of an identifier, which is the request's secret.
  case setSeller(number: Seller.ID? = nil, name: String? = nil)
  /// Deletes products without their passwords.
  case remove([Product.ID])
  /// Prints the questions of one asker; nil is all.
  case listQuestions(by: Seller.ID?)
  /// Deletes questions by their numbers, and all of an asker; nil is none.
  case removeQuestions([Question.ID], by: Seller.ID?)
  /// Prints the open reports, or deals with those of these numbers.
  case reports(ReportAction, [Report.ID])
  /// Sets the password of a product, which is the request's secret.
  case setPassword(Product.ID)
  /// Blocks or unblocks a seller.
  case setBlocked(Bool, Seller.ID)
  /// Moves the files of all pictures to the external storage, or into the store.
  case movePictures(PictureDirection)

  package enum ReportAction: String, Hashable, Sendable {
    case list, delete, block, dismiss
  }

  /// The equivalent command line.
  package var words: [String] {
    switch self {
    case .setSeller(let number, let name):
      ["admin", "seller", "set"] + (number.map { ["--id", String($0.rawValue)] } ?? [])
        + (name.map { ["--name", $0] } ?? [])
    case .setPassword(let id): ["admin", "password", String(id.rawValue)]
    case .listQuestions(let asker):
      ["admin", "questions"] + (asker.map { ["--by", String($0.rawValue)] } ?? [])
    case .removeQuestions(let ids, let asker):
      ["admin", "questions", "delete"] + ids.map { String($0.rawValue) }
        + (asker.map { ["--by", String($0.rawValue)] } ?? [])
    case .reports(let action, let ids):
      ["admin", "reports"] + (action == .list ? [] : [action.rawValue])
        + ids.map { String($0.rawValue) }
    case .remove(let ids): ["admin", "delete"] + ids.map { String($0.rawValue) }
    case .setBlocked(let isBlocked, let id):
      ["admin", "seller", isBlocked ? "block" : "unblock", String(id.rawValue)]
    case .movePictures(let direction): ["admin", "pictures", "move", "--to", direction.target]
    }
  }

  /// Secret that a request needs besides its words.
  package enum Secret: Hashable, Sendable {
    case identifier
    case password

    /// The prompt for it at a terminal.
    package var prompt: Phrase {
      switch self {
      case .identifier: .identityPrompt
      case .password: .newPasswordPrompt
      }
    }

    /// The message about an invalid or empty line; nil for a valid one.
    ///
    /// The market checks its rules later.
    package func mistake(in line: String, _ strings: Strings) -> SafeText? {
      switch self {
      case .identifier where line.isEmpty: needsPipe(strings)
      case .identifier:
        SellerIdentifier(entered: line) == nil ? strings[.identityUnreadable] : nil
      case .password: line.isEmpty ? needsPipe(strings) : nil
      }
    }

    /// The message of a program that cannot hide typed input.
    package func needsPipe(_ strings: Strings) -> SafeText {
      switch self {
      case .identifier: strings(.identityNeedsPipe, "market admin seller set")
      case .password: strings[.operatorPasswordNeedsPipe]
      }
    }
  }

  /// The secret on the first line of standard input; nil for a request without one.
  package var secret: Secret? {
    switch self {
    case .setSeller: .identifier
    case .setPassword: .password
    case .remove, .listQuestions, .removeQuestions, .reports, .setBlocked, .movePictures: nil
    }
  }
}
