import MarketModel
import MarketStrings
import SafeTextKit

/// Reason why a line of a file was rejected or changed.
package struct ImportProblem: Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    /// The line exceeds this number of bytes.
    case tooLong(Int)
    /// The line has more than this number of values.
    case tooManyValues(Int)
    /// The product has more questions, or longer ones, than `QuestionRules` allows.
    case tooManyQuestions
    /// The line is not a JSON object.
    case noObject
    /// The line is not valid in the file's encoding; with the one that the file may have.
    case notUTF8(TextEncoding?)
    /// A quote is not closed, or text follows a closed one.
    case badQuotes
    /// The number of columns differs from that of the first line.
    case columnCount(Int)
    /// Columns of the table are unknown, and ignored.
    case unknownColumns([String])
    /// A date is a bare number that a spreadsheet may mean as a day.
    case serialDay(String, value: String)
    /// A choice or currency that the market does not have; `isDropped` where only the field was left out.
    case unknownChoice(ProductField, value: String, isDropped: Bool)
    /// A date is in the future; that of the import was taken.
    case futureDate(String, value: String)
    /// A price of a sale is above the regular price, or one from before a discount below the price.
    case priceIgnored(String, value: String)
    /// The shop that the table is from does not show the product.
    case unlisted(String, value: String)
    /// The row is a sum of those above it.
    case total(String)
    /// The rows of a handle's product stand further above, with others between.
    case handleAbove(String)
    /// A member or column has an unexpected value.
    case unreadable(String, value: String, Expected)
    /// A column has an ambiguous amount, or one that its currency does not allow.
    case amount(String, AmountError)
    /// The line names a product of this market without a version.
    case noVersion
    /// The market does not change the product of this id.
    case own(Product.ID, ImportRefusal)
    case field(FieldError)
    /// The picture folder has no such file, or the name is invalid.
    case pictureMissing(String)
    /// The file is not a picture that the market accepts.
    case pictureUnusable(String)
    /// The file is truncated; its readable part was imported.
    case pictureCut(String)

    /// Expected content of an unreadable member or column.
    package enum Expected: Hashable, Sendable {
      case field(ProductField)
      case text
      case number
      case date
      case seller
      case question
      /// Offer of a question.
      case offer
      /// Time of a question or an answer.
      case questionDate
      case passwordHash
    }
  }

  /// From 1; of a quoted text there may be several.
  package let lines: ClosedRange<Int>
  package let reason: Reason
  /// Number of rows with the same problem, of which the first is named.
  package let rowCount: Int

  package init(line: Int, reason: Reason) { self.init(lines: line...line, reason: reason) }

  package init(lines: ClosedRange<Int>, reason: Reason, rowCount: Int = 1) {
    self.lines = lines
    self.reason = reason
    self.rowCount = rowCount
  }

  package var line: Int { lines.lowerBound }
}

extension ImportProblem {
  /// The message for the user.
  package func text(_ strings: Strings) -> SafeText {
    let (first, last) = (String(grouped: Int64(line)), String(grouped: Int64(lines.upperBound)))
    let text = reason.text(strings)
    if rowCount > 1 {
      let others = SafeText(String(grouped: Int64(rowCount - 1)))
      return strings(.importLineAndOthers, SafeText(first), others, text, number: rowCount - 1)
    }
    return first == last
      ? strings(.importLine, SafeText(line), text)
      : strings(.importLines, SafeText(first), SafeText(last), text)
  }
}

extension ImportProblem.Reason {
  /// Maximum number of characters of a value in a message; longer ones are cut.
  private static let maxValueLength = 40

  static func unreadable(_ name: String, holding text: String, _ expected: Expected) -> Self {
    .unreadable(name, value: start(of: text), expected)
  }

  static func unknownChoice(
    _ field: ProductField, of text: String, isDropped: Bool = false
  ) -> Self {
    .unknownChoice(field, value: start(of: text), isDropped: isDropped)
  }

  /// Whether it says that an unknown choice of the field was left out.
  func isDropped(_ field: ProductField) -> Bool {
    if case .unknownChoice(field, _, isDropped: true) = self { true } else { false }
  }

  private static func start(of text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxValueLength)))
  }

  fileprivate func text(_ strings: Strings) -> SafeText {
    switch self {
    case .tooLong(let limit): strings.counted(.importTooLong, limit)
    case .tooManyValues(let limit):
      strings(
        .importTooManyValues, SafeText(String(grouped: Int64(limit))),
        SafeText(String(grouped: Int64(QuestionRules.perProduct))))
    case .tooManyQuestions:
      strings(
        .importTooManyQuestions, SafeText(String(grouped: Int64(QuestionRules.perProduct))),
        SafeText(QuestionRules.bytesPerProduct >> 20))
    case .noObject: strings[.importNoObject]
    case .notUTF8(let likely?): strings(.importOtherEncoding, SafeText(likely.rawValue))
    case .notUTF8(nil): strings[.importNotUTF8]
    case .badQuotes: strings[.importBadQuotes]
    case .columnCount(let count): strings.counted(.importColumnCount, count)
    case .unknownColumns(let names):
      strings(
        .importUnknownColumn, names.map { SafeText($0) }.joined(separator: ", "),
        number: names.count)
    case .serialDay(let name, let value):
      strings(.importSerialDay, SafeText(name), SafeText(value))
    case .unknownChoice(let field, let value, let isDropped):
      strings(
        isDropped
          ? .importChoiceDropped
          : field == .currency ? .importUnknownCurrency : .importUnknownChoice,
        SafeText(field.rawValue),
        SafeText(value),
        TableChoices.nearest(to: value, of: field).map { SafeText($0) }.joined(separator: ", "))
    case .futureDate(let name, let value):
      strings(.importFutureDate, SafeText(name), SafeText(value))
    case .priceIgnored(let name, let value):
      strings(
        name == TableColumn.salePrice.name ? .importSaleAbovePrice : .importComparedBelowPrice,
        SafeText(name), SafeText(value))
    case .unlisted(let name, let value): strings(.importUnlisted, SafeText(name), SafeText(value))
    case .total(let name): strings(.importTotal, SafeText(name))
    case .handleAbove(let handle): strings(.importHandleAbove, SafeText(handle))
    case .unreadable(let name, let value, let expected):
      strings(
        .importUnreadable, SafeText(name), SafeText(value),
        expected.text(strings))
    case .amount(let name, let error):
      strings(.importField, SafeText(name), ProblemText.text(error, strings))
    case .noVersion: strings[.importNoVersion]
    case .own(_, .invalid(let error)): Self.field(error).text(strings)
    case .own(let id, .otherVersion(let present)):
      strings(.importOtherVersion, SafeText(id.rawValue), SafeText(present))
    case .own(let id, .lossy(let field)):
      strings(.importLossy, SafeText(field.rawValue), SafeText(id.rawValue))
    case .own(let id, .gone): strings(.importGone, SafeText(id.rawValue))
    case .own(let id, .repeated): strings(.importRepeated, SafeText(id.rawValue))
    case .field(let error):
      strings(
        .importField, SafeText(error.field.rawValue),
        ProblemText.text(error.problem, of: error.field, strings))
    case .pictureMissing(let name): strings(.importPictureMissing, SafeText(name))
    case .pictureUnusable(let name): strings(.importPictureUnusable, SafeText(name))
    case .pictureCut(let name): strings(.importPictureCut, SafeText(name))
    }
  }
}

extension ImportProblem.Reason.Expected {
  fileprivate func text(_ strings: Strings) -> SafeText {
    switch self {
    case .field(let field): ProblemText.text(.unreadable, of: field, strings)
    case .text: strings[.problemNotText]
    case .number: strings[.problemNotANumber]
    case .date: strings[.importNoDate]
    case .seller: strings[.importNoSeller]
    case .question: strings[.importNoQuestion]
    case .offer: strings[.importNoOffer]
    case .questionDate: strings[.importNoQuestionDate]
    case .passwordHash: strings[.importNoHash]
    }
  }
}
