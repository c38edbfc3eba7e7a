// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Settings of the targets whose state lives on the main actor.
let mainActor: [SwiftSetting] = common + [.defaultIsolation(MainActor.self)]

/// A target of `Sources/`; `on` lists the only targets it may import.
func source(
  _ name: String, on: [Target.Dependency] = [], embedding files: [String] = [], ui: Bool = false
) -> Target {
  .target(
    name: name, dependencies: on,
    resources: files.map { .embedInCode("../../Resources/" + $0) },
    swiftSettings: ui ? mainActor : common)
}

/// The tests of one source target, in `Tests/<name>Tests`.
func tests(of name: String, on: [Target.Dependency] = [], ui: Bool = false) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.target(name: name)] + on,
    swiftSettings: ui ? mainActor : common)
}

/// A C library of the system: a module map and a thin shim in `Modules/<name>`.
func library(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
  .systemLibrary(
    name: name, path: "Modules/" + name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// What tests and benchmarks share, in `Tests/<name>`.
func support(_ name: String, on: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: on, path: "Tests/" + name, swiftSettings: common)
}

let package = Package(
  name: "OpenMarket",
  targets: [
    source("Posix"),
    source("TextCoding"),
    source("MarketModel"),
    source("DispatchBridge"),
    library("CUtf8proc", package: "libutf8proc-dev"),
    source("SafeText", on: ["CUtf8proc"]),
    library("CSQLite", package: "libsqlite3-dev"),
    source("SQLiteKit", on: ["Posix", "CSQLite"]),
    library("CNcurses", package: "libncurses-dev"),
    .target(name: "CTerminalGuard", path: "Modules/CTerminalGuard"),
    source(
      "TerminalKit", on: ["Posix", "SafeText", "TextCoding", "CNcurses", "CTerminalGuard"]),
    library("CTurboJPEG", package: "libturbojpeg0-dev"),
    library("CPng", package: "libpng-dev"),
    library("CWebP", package: "libwebp-dev"),
    library("CGif", package: "libgif-dev"),
    source(
      "PictureKit",
      on: ["MarketModel", "DispatchBridge", "CTurboJPEG", "CPng", "CWebP", "CGif"]),
    source("MarketAPI", on: ["MarketModel", "TextCoding"]),
    source("EditorKit", on: ["SafeText"]),
    source(
      "MarketStrings", on: ["MarketModel", "SafeText"],
      embedding: ["strings/ko.txt", "strings/en.txt"]),
    source(
      "MarketViewModels", on: ["MarketModel", "SafeText", "EditorKit", "TextCoding"], ui: true),
    source(
      "MarketViews",
      on: [
        "MarketModel", "MarketStrings", "MarketViewModels", "SafeText", "TerminalKit", "EditorKit",
      ],
      ui: true),
    library("CCurl", package: "libcurl4-openssl-dev"),
    source(
      "MarketClient",
      on: [
        "CCurl", "DispatchBridge", "MarketAPI", "MarketModel", "Posix", "SQLiteKit", "TextCoding",
      ]),
    library("CSodium", package: "libsodium-dev"),
    source("StoreCore", on: ["MarketModel", "DispatchBridge", "TextCoding", "CSodium"]),
    source(
      "MarketStore", on: ["MarketModel", "SQLiteKit", "DispatchBridge", "StoreCore"],
      embedding: (1...6).map { "schema/store-\($0).sql" }),
    source("CommandKit", on: ["MarketStrings", "Posix", "SafeText"]),
    source(
      "MarketTransfer",
      on: [
        "CommandKit", "DispatchBridge", "MarketAPI", "MarketModel", "MarketStrings", "Posix",
        "SafeText",
        "TextCoding",
      ]),
    library("CPostgres", pkgConfig: "libpq", package: "libpq-dev"),
    source(
      "PostgresStore", on: ["MarketModel", "DispatchBridge", "StoreCore", "CPostgres"],
      embedding: (1...4).map { "schema/postgres-\($0).sql" }),
    .systemLibrary(name: "CEpoll", path: "Modules/CEpoll"),
    source("MarketServer", on: ["CEpoll", "MarketAPI", "MarketModel", "Posix", "TextCoding"]),
    .executableTarget(
      name: "market-server",
      dependencies: [
        "CommandKit", "MarketAPI", "MarketModel", "MarketTransfer", "MarketServer", "MarketStore",
        "MarketStrings",
        "PictureKit", "Posix", "PostgresStore", "SafeText", "StoreCore",
      ],
      swiftSettings: common),
    .target(name: "CSampleMarket", path: "Modules/CSampleMarket"),
    source("SampleMarket", on: ["MarketModel", "CSampleMarket"]),
    .target(name: "CAllocator", path: "Modules/CAllocator"),
    .target(name: "CTaskQueue", path: "Modules/CTaskQueue"),
    .executableTarget(
      name: "market",
      dependencies: [
        "CAllocator", "CTaskQueue", "CommandKit",
        "DispatchBridge", "MarketAPI", "MarketClient", "MarketModel", "MarketTransfer",
        "MarketStore",
        "MarketStrings", "MarketViewModels", "MarketViews", "PictureKit", "Posix", "SafeText",
        "SampleMarket", "StoreCore", "TerminalKit", "TextCoding",
      ], swiftSettings: mainActor),

    library("CSpawn", package: "libc6-dev"),
    support("TestSupport", on: ["CSpawn", "MarketModel"]),
    tests(of: "Posix", on: ["TestSupport"]),
    tests(of: "TextCoding", on: ["TestSupport"]),
    tests(of: "MarketStrings", on: ["MarketModel", "SafeText"]),
    support("CommandTestSupport", on: ["CommandKit", "MarketStrings", "SafeText"]),
    tests(of: "CommandKit", on: ["CommandTestSupport", "MarketStrings", "SafeText"]),
    tests(of: "MarketModel", on: ["TestSupport"]),
    tests(of: "SafeText", on: ["TestSupport"]),
    tests(of: "SQLiteKit", on: ["TestSupport"]),
    tests(of: "TerminalKit", on: ["SafeText", "TerminalTestSupport", "TestSupport"]),
    tests(of: "EditorKit", on: ["SafeText", "TestSupport"]),
    tests(of: "PictureKit", on: ["MarketModel"]),
    support("HTTPTestSupport"),
    tests(of: "MarketAPI", on: ["HTTPTestSupport", "MarketModel", "TestSupport"]),
    tests(
      of: "MarketClient",
      on: ["HTTPTestSupport", "MarketAPI", "MarketModel", "TestSupport", "TextCoding"]),
    support(
      "SellingTestSupport", on: ["EditorKit", "MarketModel", "MarketViewModels", "TestSupport"]),
    tests(
      of: "MarketViewModels",
      on: ["EditorKit", "MarketModel", "SafeText", "SellingTestSupport", "TestSupport"], ui: true),
    tests(
      of: "MarketViews",
      on: [
        "EditorKit", "MarketModel", "MarketStrings", "MarketViewModels", "SafeText",
        "SellingTestSupport", "TerminalKit", "TestSupport",
      ],
      ui: true),
    .executableTarget(
      name: "CrashTestWriter",
      dependencies: ["MarketModel", "MarketStore", "StoreCore", "TestSupport"],
      path: "Tests/CrashTestWriter", swiftSettings: common),
    support(
      "ForgedMarkets",
      on: ["MarketAPI", "MarketModel", "MarketServer", "MarketStore", "SQLiteKit", "StoreCore"]),
    tests(of: "StoreCore", on: ["MarketModel", "TestSupport"]),
    tests(
      of: "MarketStore",
      on: [
        "ForgedMarkets", "MarketModel", "SQLiteKit", "StoreCore", "CrashTestWriter", "TestSupport",
      ]),
    support(
      "TransferTestSupport",
      on: ["MarketModel", "MarketTransfer", "MarketStore", "SQLiteKit", "StoreCore", "TestSupport"]),
    support(
      "PostgresTestSupport",
      on: [
        "HTTPTestSupport", "MarketModel", "MarketStore", "PostgresStore", "StoreCore",
        "TestSupport",
      ]),
    support(
      "ClusterTestSupport",
      on: [
        "HTTPTestSupport", "MarketAPI", "MarketClient", "MarketModel", "PostgresTestSupport",
        "TestSupport",
      ]),
    tests(
      of: "PostgresStore",
      on: [
        "ClusterTestSupport", "CommandKit",
        "MarketAPI", "MarketModel", "MarketTransfer", "MarketServer", "MarketStore",
        "MarketStrings",
        "TransferTestSupport", "PostgresTestSupport", "SafeText", "StoreCore", "TestSupport",
        "market",
        "market-server",
      ]),
    tests(
      of: "MarketServer",
      on: [
        "CommandKit", "CommandTestSupport", "HTTPTestSupport", "MarketAPI", "MarketClient",
        "MarketModel", "MarketStore", "SQLiteKit",
        "StoreCore", "TestSupport", "TextCoding", "market", "market-server",
      ]),
    tests(
      of: "MarketTransfer",
      on: [
        "CommandKit", "MarketModel", "MarketStore", "MarketStrings", "TransferTestSupport",
        "SafeText", "StoreCore",
        "TestSupport",
      ]),
    tests(
      of: "market",
      on: [
        "CommandKit", "CommandTestSupport", "MarketAPI", "MarketModel", "MarketTransfer",
        "MarketStore", "MarketStrings",
        "MarketViewModels", "MarketViews", "PictureKit", "Posix", "SafeText", "StoreCore",
        "TerminalKit",
        "TestSupport",
      ], ui: true),
    tests(of: "SampleMarket", on: ["MarketModel"]),

    library("CVTerm", package: "libvterm-dev"),
    .target(name: "CPseudoTerminal", path: "Modules/CPseudoTerminal"),
    support("TerminalTestSupport", on: ["CPseudoTerminal", "CVTerm", "TestSupport"]),
    tests(of: "TerminalTestSupport"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CommandKit", "HTTPTestSupport", "market", "market-server", "MarketModel", "MarketStore",
        "MarketStrings", "PostgresTestSupport", "SQLiteKit", "SafeText", "StoreCore",
        "TerminalTestSupport", "TestSupport",
      ],
      swiftSettings: common),
    .executableTarget(
      name: "market-soak",
      dependencies: ["HTTPTestSupport", "TerminalTestSupport", "TestSupport"],
      path: "Tests/Soak", swiftSettings: common),
    .executableTarget(
      name: "market-tour",
      dependencies: ["MarketModel", "PictureKit", "TerminalTestSupport", "TestSupport", "market"],
      path: "Tests/Tour", swiftSettings: common),
    .executableTarget(
      name: "market-city", dependencies: ["ClusterTestSupport", "TestSupport", "market-server"],
      path: "Tests/ClusterLoadTest", swiftSettings: common),
    .executableTarget(
      name: "BlockRenderBench", dependencies: ["MarketModel", "PictureKit", "TerminalKit"],
      path: "Tests/BlockRenderBench", swiftSettings: common),
    .executableTarget(
      name: "URLSessionBaseline", path: "Tests/URLSessionBaseline", swiftSettings: common),
    .executableTarget(
      name: "market-bench",
      dependencies: [
        "MarketClient", "MarketModel", "MarketStore", "BlockRenderBench", "PictureKit",
        "PostgresStore",
        "PostgresTestSupport", "SafeText", "SampleMarket", "URLSessionBaseline", "SQLiteKit",
        "StoreCore", "TerminalTestSupport",
      ], path: "Tests/Benchmarks", swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
