import MarketModel
import Posix

/// Place at which a market was used, with the keys that earlier versions may have given it.
package struct KnownLocation: Hashable, Sendable {
  package let key: MarketKey
  package let former: [MarketKey]

  /// The place of a file, which may have been opened by other names of it.
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

  /// The place of a whole path or an address; nil where it is neither.
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
