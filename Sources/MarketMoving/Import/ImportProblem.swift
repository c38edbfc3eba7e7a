import MarketModel

/// Why a line was not taken.
package struct ImportProblem: Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    case tooLong
    /// It is no JSON object.
    case noObject
    /// A quote is never closed, or text follows a closed one.
    case badQuotes
    /// It has another number of columns than the first line.
    case columnCount(Int)
    /// A member or column holds something else than it should.
    case unreadable(String)
    case field(FieldError)
    /// There is no such file in the folder of pictures, or the name leads elsewhere.
    case pictureMissing(String)
    /// The file is no picture that the market takes.
    case pictureUnusable(String)
  }

  /// Counted from 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

extension ImportProblem: CustomStringConvertible {
  /// Holds foreign text as it came.
  package var description: String { "line \(line): \(reason)" }
}

extension ImportProblem.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "longer than \(LineReader.longestLine) bytes"
    case .noObject: "no JSON object"
    case .badQuotes: "quotes that do not match"
    case .columnCount(let count): "\(count) columns, unlike the first line"
    case .unreadable(let name): "\(name) cannot be read"
    case .field(let error): Self.text(error)
    case .pictureMissing(let name): "no picture file \(name)"
    case .pictureUnusable(let name): "\(name) is no picture that the market takes"
    }
  }

  private static func text(_ error: FieldError) -> String {
    let problem =
      switch error.problem {
      case .missing: "missing"
      case .unreadable: "cannot be read"
      case .tooShort(let minimum): "below \(minimum)"
      case .tooLong(let maximum): "above \(maximum)"
      case .negative: "negative"
      case .abovePrice: "above the price"
      case .unsupportedCurrency: "none that the market takes"
      case .unsupportedPicture: "no picture that the market takes"
      case .pictureTooLarge: "too large"
      case .refused(let words): words
      }
    return "\(error.field.rawValue): \(problem)"
  }
}
