import MarketModel
import MarketStrings
import SafeTextKit

/// Reason why a line of a file was not taken, or not as it is.
package struct ImportProblem: Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    /// It has more bytes than that.
    case tooLong(Int)
    /// It is no JSON object.
    case noObject
    /// Its bytes are no text of the file's encoding.
    case notUTF8
    /// A quote is never closed, stands inside a field, or text follows a closed one.
    case badQuotes
    /// It has another number of columns than the first line.
    case columnCount(Int)
    /// A column of the table, which the first line names, is none of a product's.
    case unknownColumn(String)
    /// A member or column holds something else than it should.
    case unreadable(String, value: String, Expected)
    /// A column holds an amount that may be read in two ways, or that its currency does not allow.
    case amount(String, AmountError)
    /// It names a product of this market and no version.
    case noVersion
    /// The market does not change the product of this number.
    case own(Product.ID, ImportRefusal)
    case field(FieldError)
    /// There is no such file in the folder of pictures, or the name leads elsewhere.
    case pictureMissing(String)
    /// The file is no picture that the market takes.
    case pictureUnusable(String)
    /// The file ends too early; what is there of it was taken.
    case pictureCut(String)

    /// What a member or column that cannot be read should hold.
    package enum Expected: Hashable, Sendable {
      case field(ProductField)
      case text
      case number
      case date
      case seller
      case question
      case passwordHash
    }
  }

  /// Counted from 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

extension ImportProblem {
  /// The one sentence that a person reads.
  package func text(_ strings: Strings) -> SafeText {
    strings(.importLine, SafeText(line), reason.text(strings))
  }
}

extension ImportProblem.Reason {
  /// Characters of a value that is told; the rest is left out.
  private static let maxValueLength = 40

  static func unreadable(_ name: String, holding text: String, _ expected: Expected) -> Self {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxValueLength)))
    return .unreadable(name, value: start, expected)
  }

  fileprivate func text(_ strings: Strings) -> SafeText {
    switch self {
    case .tooLong(let limit): strings.counted(.importTooLong, limit)
    case .noObject: strings[.importNoObject]
    case .notUTF8: strings[.importNotUTF8]
    case .badQuotes: strings[.importBadQuotes]
    case .columnCount(let count): strings.counted(.importColumnCount, count)
    case .unknownColumn(let name): strings(.importUnknownColumn, SafeText(name))
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
    case .passwordHash: strings[.importNoHash]
    }
  }
}
