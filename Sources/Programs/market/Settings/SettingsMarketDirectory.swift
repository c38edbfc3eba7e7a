import MarketClient
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit

/// Directory of markets in the settings file: addresses and files by the names that `--server` accepts,
/// and the one that opens at start.
final class SettingsMarketDirectory: MarketDirectory {
  private let store: FileSettingsStore
  private let strings: () -> Strings
  /// Markets, computed when the file is read, since their keys require file system access.
  private(set) var markets: [KnownMarket] = []

  /// Creates the directory over the settings store, whose screen shows the same entries.
  init(_ store: FileSettingsStore, strings: @escaping () -> Strings) {
    self.store = store
    self.strings = strings
    readMarkets()
    store.didRead = { [weak self] in self?.readMarkets() }
  }

  private func readMarkets() { markets = markets(of: store.entries) }

  private static let table = "servers"
  private static let start = ["server"]

  func refresh() { store.refresh() }

  private func markets(of entries: SettingsEntries) -> [KnownMarket] {
    let start = entries[Self.start]
    let local = KnownMarket(
      key: .local, name: nil, location: .local, opensAtStart: start == nil)
    return [local]
      + entries.servers.compactMap { name, address in
        location(of: address).map { location in
          KnownMarket(
            key: MarketSource.key(of: location), name: SafeText(name), location: location,
            isRemembered: true, opensAtStart: start == name || start == address)
        }
      }
  }

  func market(at text: String) -> KnownMarket? {
    guard let location = location(of: text) else { return nil }
    let name =
      switch location {
      case .local: SafeText("")
      case .file(let path): SafeText(MarketPath.name(of: path))
      case .server(let address): SafeText(address)
      }
    return KnownMarket(key: MarketSource.key(of: location), name: name, location: location)
  }

  private func location(of text: String) -> MarketLocation? { MarketLocation(text) }

  // MARK: Changing

  func remember(_ market: KnownMarket, as name: String) async -> DirectoryAnswer {
    guard let text = market.location.text else { return refused(.marketNameLocal) }
    if let refusal = refusal(of: name) { return refusal }
    return await answer(
      to: [SettingChange([Self.table, name], to: text)],
      strings()(.marketRemembered, SafeText(name)))
  }

  func rename(_ market: KnownMarket, to name: String) async -> DirectoryAnswer {
    guard let old = market.name?.string, let text = market.location.text else {
      return refused(.marketNameLocal)
    }
    guard name != old else { return DirectoryAnswer(isDone: true, strings()[.hintNothingChanged]) }
    if let refusal = refusal(of: name) { return refusal }
    // The new name is added first, so that the market has one after any failure.
    var changes = [SettingChange([Self.table, name], to: text)]
    if store.entries[Self.start] == old { changes.append(SettingChange(Self.start, to: name)) }
    return await answer(
      to: changes + [SettingChange([Self.table, old], to: nil)],
      strings()(.marketRenamed, SafeText(old), SafeText(name)))
  }

  func forget(_ market: KnownMarket) async -> DirectoryAnswer {
    guard let name = market.name?.string, let text = market.location.text else {
      return refused(.marketNameLocal)
    }
    var changes = [SettingChange([Self.table, name], to: nil)]
    if store.entries[Self.start] == name { changes.append(SettingChange(Self.start, to: nil)) }
    return await answer(to: changes, strings()(.marketForgotten, SafeText(name), SafeText(text)))
  }

  func openAtStart(_ market: KnownMarket) async -> DirectoryAnswer {
    let name = market.name?.string
    // Without an entry the local market opens only if sessions are not restored.
    let reopens = name == nil && Bool(store.entries[["restore"]] ?? "true") == true
    return await answer(
      to: [SettingChange(Self.start, to: name)],
      reopens
        ? strings()[.marketOpensWhereLeft]
        : strings()(.marketOpensAtStart, market.name ?? strings()[.marketLocal]))
  }

  /// Saves changes one by one, up to the first that is refused.
  private func answer(to changes: [SettingChange], _ sentence: SafeText) async -> DirectoryAnswer {
    for change in changes {
      if case .refused(let reason) = await store.save(change) {
        return DirectoryAnswer(isDone: false, reason)
      }
    }
    return DirectoryAnswer(isDone: true, sentence)
  }

  private func refused(_ phrase: Phrase) -> DirectoryAnswer {
    DirectoryAnswer(isDone: false, strings()[phrase])
  }

  /// Answer for an invalid or taken name; nil if the name is free.
  private func refusal(of name: String) -> DirectoryAnswer? {
    guard MarketOptions.isMarketName(name) else { return refused(.marketNameForm) }
    guard store.entries.servers.contains(where: { $0.name == name }) else { return nil }
    return DirectoryAnswer(isDone: false, strings()(.marketNameTaken, SafeText(name)))
  }

  // MARK: Words

  func freeName(for market: KnownMarket) -> String {
    let taken = Set(store.entries.servers.map(\.name))
    let stem = Self.stem(of: market.location)
    guard taken.contains(stem) else { return stem }
    return (2...taken.count + 2).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? stem
  }

  /// File name without its suffix, or host of a server.
  private static func stem(of location: MarketLocation) -> String {
    let text: String =
      switch location {
      case .local: ""
      case .file(let path):
        String(MarketPath.name(of: path).prefix { $0 != "." })
      case .server(let address):
        (try? MarketSource.address(address)).map(\.origin.host) ?? address
      }
    let name = String(text.filter { MarketOptions.isMarketName(String($0)) })
    return name.isEmpty ? "market" : name
  }

  func serveCommand(for market: KnownMarket) -> String? {
    switch market.location {
    // Serves the default file.
    case .local: "market serve"
    case .file(let path): "market serve --store " + Self.quoted(path)
    case .server: nil
    }
  }

  /// Path quoted for a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,@%".contains($0) }
    return isPlain
      ? path
      : "'"
        + path.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }
}
