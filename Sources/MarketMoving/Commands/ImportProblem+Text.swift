import MarketModel
import MarketStrings
import SafeText

extension ImportProblem {
  /// The one sentence that a person reads.
  package func text(_ strings: Strings) -> SafeText {
    strings(.importLine, SafeText(line), reason.text(strings))
  }
}

extension ImportProblem.Reason {
  fileprivate func text(_ strings: Strings) -> SafeText {
    switch self {
    case .tooLong: strings.counted(.importTooLong, LineReader.longestLine)
    case .noObject: strings[.importNoObject]
    case .badQuotes: strings[.importBadQuotes]
    case .columnCount(let count): strings.counted(.importColumnCount, count)
    case .unreadable(let name): strings(.importUnreadable, SafeText(name))
    case .field(let error):
      strings(
        .importField, SafeText(error.field.rawValue),
        ProblemText.text(error.problem, of: error.field, strings))
    case .pictureMissing(let name): strings(.importPictureMissing, SafeText(name))
    case .pictureUnusable(let name): strings(.importPictureUnusable, SafeText(name))
    }
  }
}
