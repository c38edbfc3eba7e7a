import Posix

/// Files and folders of the program.
nonisolated struct AppPaths {
  private let folders: BaseFolders

  init(environment: (String) -> String? = Environment.value) {
    folders = BaseFolders(of: "market", environment: environment)
  }

  /// The default store's folder.
  var data: String { folders.data }
  /// The folder of settings and identities.
  var config: String { folders.config }
  /// The folder of drafts.
  var state: String { folders.state }
  /// The folder in which each market has a folder of drafts.
  var drafts: String { state + "/drafts" }
  var home: String { folders.home }

  var defaultStore: String { data + "/market.sqlite" }
  /// What the person keeps: searches, visits, what was seen.
  var personal: String { data + "/personal.sqlite" }
  var settings: String { config + "/settings.json" }
  /// The cache of what was seen of servers.
  var seen: String { folders.cache + "/seen.sqlite" }
}
