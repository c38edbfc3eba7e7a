import Expectations
import Posix
import Testing

struct BaseFoldersTests {
  @Test func `folders follow the XDG variables, else stand in the home folder`() {
    let folders = BaseFolders(of: "market") {
      ["HOME": "/home/mina", "XDG_DATA_HOME": "/data"][$0]
    }

    expect(folders.data, "/data/market")
    expect(folders.config, "/home/mina/.config/market")
    expect(folders.cache, "/home/mina/.cache/market")
    expect(folders.state, "/home/mina/.local/state/market")
  }

  @Test func `a relative XDG variable counts as not set`() {
    let folders = BaseFolders(of: "market") {
      ["HOME": "/home/mina", "XDG_CONFIG_HOME": "here"][$0]
    }

    expect(folders.config, "/home/mina/.config/market")
  }

  @Test(arguments: [nil, "relative"] as [String?])
  func `without an absolute HOME the home of the account counts`(home: String?) {
    let folders = BaseFolders(of: "market") {
      $0 == "HOME" ? home : nil
    } accountHome: {
      "/home/hana"
    }

    expect(folders.home, "/home/hana")
    expect(folders.data, "/home/hana/.local/share/market")
  }

  @Test func `the account of this process has a home`() {
    expect(BaseFolders.accountHome()?.hasPrefix("/"), true)
  }
}
