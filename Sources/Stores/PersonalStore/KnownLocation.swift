import MarketModel
import Posix

/// Location of a market, with the keys that earlier versions may have given it.
package struct KnownLocation: Hashable, Sendable {
  package let key: MarketKey
  package let former: [MarketKey]

  /// The location of a file, which may have been opened by other names.
  package init(file path: String, named names: [String] = []) {
    let real = Folder.realPath(of: path)
    key = MarketKey(realPath: real)
    former = (names + [path, real]).reduce(into: []) { keys, name in
      let key = MarketKey.former(ofFile: name)
      if !keys.contains(key) { keys.append(key) }
    }
  }

  package init(server address: WebAddress) {
    self.init(MarketKey(server: address))
  }

  package init(_ key: MarketKey) {
    self.key = key
    former = key.former
  }

  /// The location of an absolute path or a web address; nil for other texts.
  package init?(_ text: String) {
    if text.hasPrefix("/") {
      self.init(file: text)
    } else if let address = WebAddress(text) {
      self.init(server: address)
    } else {
      return nil
    }
  }
}
