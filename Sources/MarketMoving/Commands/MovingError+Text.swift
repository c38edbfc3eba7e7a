import MarketStrings
import SafeText

extension MovingError {
  /// The one sentence that a person reads.
  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .market(let error): ErrorText.text(error, strings)
    case .file(let path, let reason): strings(.movingFile, SafeText(path), SafeText(reason))
    case .diskFull(let path):
      strings(.movingFile, SafeText(path), strings[.errorStoreDiskFull])
    case .exists(let path): strings(.movingExists, SafeText(path))
    case .isMarket(let path): strings(.movingIsMarket, SafeText(path))
    case .notAFile(let path): strings(.movingNotAFile, SafeText(path))
    case .noColumns: strings[.movingNoColumns]
    }
  }
}
