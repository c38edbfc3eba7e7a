package import MarketModel
import MarketStrings
package import TerminalKit

/// What every view needs beside its model: the looks, the language and the time of the frame.
package struct RenderContext: Sendable {
  package var theme: Theme
  package var strings: Strings
  package var pictures: PictureStyle
  /// Why they are drawn so; nil before that is decided.
  package var pictureChoice: PictureChoice?
  /// Keys of the user's own.
  package var keys = OwnKeys()
  /// The time at which the frame is drawn; ages are counted from it.
  package var now: Timestamp

  package init(theme: Theme, strings: Strings, pictures: PictureStyle, now: Timestamp) {
    self.theme = theme
    self.strings = strings
    self.pictures = pictures
    self.now = now
  }
}
