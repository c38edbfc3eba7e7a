import CommandKit
import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import SafeTextKit
import TestSupport
import Testing

@testable import market

struct SettingsMarketDirectoryTests {
  @Test func `only a file that is not the usual one is named by the command that serves it`() throws
  {
    let folder = try TemporaryFolder()
    let store = FileSettingsStore(
      SettingsFile(path: folder.path(of: "settings.json")), home: folder.path,
      appearance: Appearance(
        options: MarketOptions(), colors: CustomColors(), keys: CustomKeyBindings()))
    let directory = SettingsMarketDirectory(store, strings: { store.strings })
    let market = { (location: MarketLocation) in
      KnownMarket(key: .local, name: nil, location: location)
    }

    expect(directory.serveCommand(for: market(.local)), "market serve")
    expect(
      directory.serveCommand(for: market(.file("/srv/my shop.sqlite"))),
      "market serve --store '/srv/my shop.sqlite'")
    expect(directory.serveCommand(for: market(.server(address: "http://a"))), nil)
  }
}
