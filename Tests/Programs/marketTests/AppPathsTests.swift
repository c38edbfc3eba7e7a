import Expectations
import Testing

@testable import market

struct AppPathsTests {
  @Test func `folders follow the XDG variables, else stand in the home folder`() {
    let locations = AppPaths { ["HOME": "/home/mina", "XDG_DATA_HOME": "/data"][$0] }

    expect(locations.defaultStore, "/data/market/market.sqlite")
    expect(locations.settings, "/home/mina/.config/market/settings.json")
    expect(locations.seen, "/home/mina/.cache/market/seen.sqlite")
  }

  @Test func `a relative XDG variable counts as not set`() {
    let locations = AppPaths { ["HOME": "/home/mina", "XDG_CONFIG_HOME": "here"][$0] }

    expect(locations.config, "/home/mina/.config/market")
  }
}
