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
    source("MarketModel"),
    source("DispatchBridge"),
    library("CUtf8proc", package: "libutf8proc-dev"),
    source("SafeText", on: ["CUtf8proc"]),
    library("CSQLite", package: "libsqlite3-dev"),
    source("SQLiteKit", on: ["CSQLite"]),
    library("CNcurses", package: "libncurses-dev"),
    .target(name: "CTerminalGuard", path: "Modules/CTerminalGuard"),
    source("TerminalKit", on: ["SafeText", "CNcurses", "CTerminalGuard"]),
    library("CTurboJPEG", package: "libturbojpeg0-dev"),
    library("CPng", package: "libpng-dev"),
    library("CWebP", package: "libwebp-dev"),
    library("CGif", package: "libgif-dev"),
    source(
      "PictureKit",
      on: ["MarketModel", "DispatchBridge", "CTurboJPEG", "CPng", "CWebP", "CGif"]),
    source("MarketAPI", on: ["MarketModel"]),
    source("EditorKit", on: ["SafeText"]),
    source(
      "MarketStrings", on: ["MarketModel", "SafeText"],
      embedding: ["strings/ko.txt", "strings/en.txt"]),
    source("MarketViewModels", on: ["MarketModel", "SafeText", "EditorKit"], ui: true),
    source(
      "MarketViews",
      on: [
        "MarketModel", "MarketStrings", "MarketViewModels", "SafeText", "TerminalKit", "EditorKit",
      ],
      ui: true),
    library("CCurl", package: "libcurl4-openssl-dev"),
    source(
      "MarketClient",
      on: ["CCurl", "DispatchBridge", "MarketAPI", "MarketModel", "SQLiteKit"]),
    library("CSodium", package: "libsodium-dev"),
    source(
      "MarketStore", on: ["MarketModel", "SQLiteKit", "DispatchBridge", "CSodium"],
      embedding: [
        "schema/store-1.sql", "schema/store-2.sql", "schema/store-3.sql", "schema/store-4.sql",
        "schema/store-5.sql", "schema/store-6.sql",
      ]),
    source("CommandKit", on: ["MarketStrings", "SafeText"]),
    source(
      "MarketMoving",
      on: [
        "CommandKit", "DispatchBridge", "MarketAPI", "MarketModel", "MarketStrings", "SafeText",
      ]),
    library("CPostgres", pkgConfig: "libpq", package: "libpq-dev"),
    source(
      "PostgresStore", on: ["MarketModel", "MarketStore", "DispatchBridge", "CPostgres"],
      embedding: [
        "schema/postgres-1.sql", "schema/postgres-2.sql", "schema/postgres-3.sql",
        "schema/postgres-4.sql",
      ]),
    .systemLibrary(name: "CEpoll", path: "Modules/CEpoll"),
    source("MarketServer", on: ["CEpoll", "MarketAPI", "MarketModel"]),
    .executableTarget(
      name: "market-server",
      dependencies: [
        "CommandKit", "MarketAPI", "MarketModel", "MarketMoving", "MarketServer", "MarketStore",
        "MarketStrings",
        "PictureKit", "PostgresStore", "SafeText",
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
        "DispatchBridge", "MarketAPI", "MarketClient", "MarketModel", "MarketMoving", "MarketStore",
        "MarketStrings", "MarketViewModels", "MarketViews", "PictureKit", "SafeText",
        "SampleMarket", "TerminalKit",
      ], swiftSettings: mainActor),

    library("CSpawn", package: "libc6-dev"),
    support("TestSupport", on: ["CSpawn", "MarketModel"]),
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
      of: "MarketClient", on: ["HTTPTestSupport", "MarketAPI", "MarketModel", "TestSupport"]),
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
      name: "StoreWriter", dependencies: ["MarketModel", "MarketStore", "TestSupport"],
      path: "Tests/StoreWriter", swiftSettings: common),
    support(
      "ForgedMarkets", on: ["MarketAPI", "MarketModel", "MarketServer", "MarketStore", "SQLiteKit"]),
    tests(
      of: "MarketStore",
      on: ["ForgedMarkets", "MarketModel", "SQLiteKit", "StoreWriter", "TestSupport"]),
    support(
      "MovingTestSupport",
      on: ["MarketModel", "MarketMoving", "MarketStore", "SQLiteKit", "TestSupport"]),
    support(
      "PostgresTestSupport",
      on: ["HTTPTestSupport", "MarketModel", "MarketStore", "PostgresStore", "TestSupport"]),
    support(
      "CityTestSupport",
      on: [
        "HTTPTestSupport", "MarketAPI", "MarketClient", "MarketModel", "PostgresTestSupport",
        "TestSupport",
      ]),
    tests(
      of: "PostgresStore",
      on: [
        "CityTestSupport", "CommandKit",
        "MarketAPI", "MarketModel", "MarketMoving", "MarketServer", "MarketStore", "MarketStrings",
        "MovingTestSupport", "PostgresTestSupport", "SafeText", "TestSupport", "market",
        "market-server",
      ]),
    tests(
      of: "MarketServer",
      on: [
        "CommandKit", "CommandTestSupport", "HTTPTestSupport", "MarketAPI", "MarketClient",
        "MarketModel", "MarketStore", "SQLiteKit",
        "TestSupport", "market", "market-server",
      ]),
    tests(
      of: "MarketMoving",
      on: [
        "CommandKit", "MarketModel", "MarketStore", "MarketStrings", "MovingTestSupport",
        "SafeText",
        "TestSupport",
      ]),
    tests(
      of: "market",
      on: [
        "CommandKit", "CommandTestSupport", "MarketAPI", "MarketModel", "MarketMoving",
        "MarketStore", "MarketStrings", "MarketViewModels", "MarketViews", "PictureKit", "SafeText",
        "TerminalKit", "TestSupport",
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
        "MarketStrings", "SQLiteKit", "SafeText", "TerminalTestSupport", "TestSupport",
      ],
      swiftSettings: common),
    .executableTarget(
      name: "market-soak",
      dependencies: ["HTTPTestSupport", "TerminalTestSupport", "TestSupport"],
      path: "Tests/Soak", swiftSettings: common),
    .executableTarget(
      name: "market-city", dependencies: ["CityTestSupport", "TestSupport", "market-server"],
      path: "Tests/City", swiftSettings: common),
    .executableTarget(
      name: "PictureCells", dependencies: ["MarketModel", "PictureKit", "TerminalKit"],
      path: "Tests/PictureCells", swiftSettings: common),
    .executableTarget(
      name: "SessionClient", path: "Tests/SessionClient", swiftSettings: common),
    .executableTarget(
      name: "market-bench",
      dependencies: [
        "MarketClient", "MarketModel", "MarketStore", "PictureCells", "PictureKit", "PostgresStore",
        "PostgresTestSupport", "SafeText", "SampleMarket", "SessionClient", "SQLiteKit",
        "TerminalTestSupport",
      ], path: "Tests/Benchmarks", swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
