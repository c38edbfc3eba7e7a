// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
  // A type that is looked up by its name has the runtime go through all conformances, some fifty times a start.
  .unsafeFlags(
    ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
    .when(platforms: [.linux], configuration: .release)),
]

/// Settings of the targets whose state lives on the main actor.
let mainActor: [SwiftSetting] = common + [.defaultIsolation(MainActor.self)]

/// What targets of tests add: no debug information, which costs a sixth of compiling them, unless DEBUG_TESTS is set.
let test: [SwiftSetting] =
  Context.environment["DEBUG_TESTS"] == nil
  ? [.unsafeFlags(["-gnone"], .when(configuration: .debug))] : []

/// Targets that run for each cell, pixel, byte of a text or row of a table: optimized in every build.
///
/// Keys and first frame of a debug build are then felt to be no slower than a release's. Files are optimized one by
/// one, since a whole module has no index for editors.
let optimizedAlways: Set<String> = [
  "PictureKit", "SQLiteKit", "SafeTextKit", "TerminalKit", "TextCoding",
]

/// The floors of `Sources/`, mirrored by `Tests/`: each has a README that says what lives there.
enum Floor: String, CaseIterable {
  case base = "Base"
  case market = "Market"
  case stores = "Stores"
  case network = "Network"
  case screen = "Screen"
  case programs = "Programs"

  /// The floors whose targets may be imported from this one, besides its own.
  var below: Set<Floor> {
    switch self {
    case .base: []
    case .market: [.base]
    case .stores, .network, .screen: [.base, .market]
    case .programs: [.base, .market, .stores, .network, .screen]
    }
  }
}

/// A target of `Sources/`; `on` lists the only targets it may import.
func source(
  _ name: String, in floor: Floor, on: [Target.Dependency] = [],
  ui: Bool = false
) -> Target {
  let settings = ui ? mainActor : common
  let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
  return .target(
    name: name, dependencies: on, path: "Sources/\(floor.rawValue)/\(name)",
    swiftSettings: optimizedAlways.contains(name) ? settings + optimized : settings)
}

/// How programs are linked so that they start soon.
///
/// A program has some 50,000 addresses that the loader sets. Packed (DT_RELR, from glibc 2.36 on) they
/// take a hundredth of their room, and without exported symbols none is looked up by its name. The C++
/// library has thousands more, of which the runtime of Swift needs few: it is linked in.
let fastStartLinkerSettings: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
      "--no-export-dynamic", "-L", Context.packageDirectory + "/Resources/link",
    ], .when(platforms: [.linux], configuration: .release))
]

/// A program of `Sources/Programs`.
func program(_ name: String, on: [Target.Dependency], ui: Bool = false) -> Target {
  .executableTarget(
    name: name, dependencies: on, path: "Sources/Programs/\(name)",
    swiftSettings: ui ? mainActor : common, linkerSettings: fastStartLinkerSettings)
}

/// The tests of one source target, on the same floor of `Tests/`.
func tests(
  of name: String, in floor: Floor, on: [Target.Dependency] = [], ui: Bool = false
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.target(name: name), "Expectations"] + on,
    path: "Tests/\(floor.rawValue)/\(name)Tests",
    swiftSettings: (ui ? mainActor : common) + test)
}

/// A C library of the system: a module map and a thin shim in `Modules/<name>`.
func library(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
  .systemLibrary(
    name: name, path: "Modules/" + name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// What tests and benchmarks share, in `Tests/Support/<name>`.
func support(_ name: String, on: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: on, path: "Tests/Support/" + name, swiftSettings: common + test)
}

/// A program that tests or measures the others, in `Tests/<folder>`.
func tool(_ name: String, _ folder: String, on: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name, dependencies: on, path: "Tests/" + folder, swiftSettings: common + test)
}

let package = Package(
  name: "OpenMarket",
  targets: [
    // Libraries of the system, and C of our own.
    library("CUtf8proc", package: "libutf8proc-dev"),
    library("CSQLite", package: "libsqlite3-dev"),
    library("CNcurses", package: "libncurses-dev"),
    .target(name: "CTerminalGuard", path: "Modules/CTerminalGuard"),
    library("CTurboJPEG", package: "libturbojpeg0-dev"),
    library("CPng", package: "libpng-dev"),
    library("CWebP", package: "libwebp-dev"),
    library("CGif", package: "libgif-dev"),
    library("CZlib", package: "zlib1g-dev"),
    library("CLittleCMS", package: "liblcms2-dev"),
    library("CHeif", package: "libheif-dev"),
    .target(name: "CCodecs", path: "Modules/CCodecs"),
    .target(name: "CQRCode", path: "Modules/CQRCode"),
    library("CCurl", package: "libcurl4-openssl-dev"),
    library("CSodium", package: "libsodium-dev"),
    library("CPostgres", pkgConfig: "libpq", package: "libpq-dev"),
    .systemLibrary(name: "CEpoll", path: "Modules/CEpoll"),
    .target(name: "CBuildStamp", path: "Modules/CBuildStamp"),
    .target(name: "CResources", path: "Modules/CResources"),
    .target(name: "CSampleMarket", path: "Modules/CSampleMarket"),
    .target(name: "CAllocator", path: "Modules/CAllocator"),
    .target(name: "CTaskQueue", path: "Modules/CTaskQueue"),
    library("CSeccomp", package: "libseccomp-dev"),
    library("CSpawn", package: "libc6-dev"),
    library("CVTerm", package: "libvterm-dev"),
    .target(name: "CPseudoTerminal", path: "Modules/CPseudoTerminal"),
    .target(name: "CTestRunner", path: "Modules/CTestRunner"),
    .target(name: "CFileBirth", path: "Modules/CFileBirth"),
    // Sources/Base
    source("Posix", in: .base, on: ["CFileBirth"]),
    source("TextCoding", in: .base, on: ["CResources"]),
    source("DispatchBridge", in: .base),
    source("SafeTextKit", in: .base, on: ["CUtf8proc"]),
    source("SQLiteKit", in: .base, on: ["Posix", "CSQLite"]),
    source("EditorKit", in: .base, on: ["SafeTextKit"]),
    // Sources/Market
    source("MarketModel", in: .market, on: ["SafeTextKit", "TextCoding"]),
    source("MarketAPI", in: .market, on: ["MarketModel", "TextCoding"]),
    source(
      "MarketStrings", in: .market, on: ["MarketModel", "SafeTextKit", "TextCoding"]),
    source(
      "CommandKit", in: .market,
      on: ["CBuildStamp", "MarketModel", "MarketStrings", "Posix", "SafeTextKit", "TextCoding"]),
    source(
      "MarketTransfer", in: .market,
      on: [
        "CommandKit", "DispatchBridge", "MarketAPI", "MarketModel", "MarketStrings", "Posix",
        "SafeTextKit", "TextCoding",
      ]),
    source("SampleMarket", in: .market, on: ["MarketModel", "CSampleMarket"]),
    // Sources/Stores
    source(
      "StoreCore", in: .stores,
      on: [
        "MarketModel", "DispatchBridge", "Posix", "SQLiteKit", "SafeTextKit", "TextCoding",
        "CSodium",
      ]),
    source(
      "MarketStore", in: .stores,
      on: ["MarketModel", "Posix", "SQLiteKit", "DispatchBridge", "StoreCore", "TextCoding"]),
    source(
      "PostgresStore", in: .stores,
      on: ["MarketModel", "DispatchBridge", "SQLiteKit", "StoreCore", "TextCoding", "CPostgres"]),
    source(
      "PersonalStore", in: .stores,
      on: ["DispatchBridge", "MarketModel", "Posix", "SafeTextKit", "SQLiteKit", "TextCoding"]),
    // Sources/Network
    source(
      "MarketClient", in: .network,
      on: [
        "CCurl", "DispatchBridge", "MarketAPI", "MarketModel", "Posix", "SQLiteKit", "TextCoding",
      ]),
    source(
      "MarketPages", in: .network,
      on: ["MarketAPI", "MarketModel", "MarketStrings", "SafeTextKit", "TextCoding"]),
    source(
      "MarketServer", in: .network,
      on: [
        "CEpoll", "MarketAPI", "MarketModel", "MarketPages", "MarketStrings", "Posix",
        "SafeTextKit",
        "TextCoding",
      ]),
    // Sources/Screen
    source(
      "TerminalKit", in: .screen,
      on: ["Posix", "SafeTextKit", "TextCoding", "CNcurses", "CQRCode", "CTerminalGuard"]),
    source(
      "PictureKit", in: .screen,
      on: [
        "MarketModel", "DispatchBridge", "CCodecs", "CTurboJPEG", "CPng", "CWebP", "CGif", "CZlib",
        "CLittleCMS", "CHeif",
      ]),
    source(
      "MarketViewModels", in: .screen,
      on: ["MarketModel", "SafeTextKit", "EditorKit", "TextCoding"],
      ui: true),
    source(
      "MarketViews", in: .screen,
      on: [
        "MarketModel", "MarketStrings", "MarketViewModels", "SafeTextKit", "TerminalKit",
        "EditorKit",
      ],
      ui: true),
    // Sources/Programs
    .target(
      name: "Programs", dependencies: ["market", "market-server"],
      path: "Sources/Programs/Programs", swiftSettings: common),
    program(
      "market-server",
      on: [
        "CAllocator", "CommandKit", "MarketAPI", "MarketClient", "MarketModel", "MarketPages",
        "MarketTransfer",
        "MarketServer", "MarketStore", "MarketStrings", "PictureKit", "Posix", "PostgresStore",
        "SafeTextKit", "StoreCore", "TextCoding",
      ]),
    program(
      "market",
      on: [
        "CAllocator", "CSeccomp", "CSpawn", "CTaskQueue", "CommandKit", "DispatchBridge",
        "MarketAPI", "MarketClient",
        "MarketModel", "MarketTransfer", "MarketStore", "MarketStrings", "MarketViewModels",
        "MarketViews", "PersonalStore", "PictureKit", "Posix", "SQLiteKit", "SafeTextKit",
        "SampleMarket",
        "StoreCore", "TerminalKit", "TextCoding",
      ], ui: true),
    // What tests share.
    support("Expectations"),
    .testTarget(
      name: "ExpectationsTests", dependencies: ["Expectations"],
      path: "Tests/Support/ExpectationsTests", swiftSettings: common + test),
    support("TestSupport", on: ["CSpawn", "CTestRunner", "MarketModel", "SafeTextKit"]),
    support("CommandTestSupport", on: ["CommandKit", "MarketStrings", "SafeTextKit"]),
    support("HTTPTestSupport"),
    support(
      "SellingTestSupport",
      on: [
        "EditorKit", "MarketModel", "MarketViewModels", "PersonalStore", "SQLiteKit",
        "SafeTextKit", "TestSupport",
      ]),
    support(
      "ForgedMarkets",
      on: ["MarketAPI", "MarketModel", "MarketServer", "MarketStore", "SQLiteKit", "StoreCore"]),
    support(
      "TransferTestSupport",
      on: [
        "Expectations", "MarketModel", "MarketTransfer", "MarketStore", "SQLiteKit", "StoreCore",
        "TestSupport",
      ]),
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
    support("TerminalTestSupport", on: ["CPseudoTerminal", "CVTerm", "TestSupport"]),
    .testTarget(
      name: "TerminalTestSupportTests",
      dependencies: ["Expectations", "TerminalTestSupport", "TestSupport"],
      path: "Tests/Support/TerminalTestSupportTests", swiftSettings: common + test),
    // Tests/Base
    tests(of: "Posix", in: .base, on: ["TestSupport"]),
    tests(of: "TextCoding", in: .base, on: ["TestSupport"]),
    tests(of: "SafeTextKit", in: .base, on: ["TestSupport"]),
    tests(of: "SQLiteKit", in: .base, on: ["TestSupport"]),
    tests(of: "EditorKit", in: .base, on: ["SafeTextKit", "TestSupport"]),
    // Tests/Market
    tests(of: "MarketStrings", in: .market, on: ["MarketModel", "SafeTextKit"]),
    tests(
      of: "CommandKit", in: .market, on: ["CommandTestSupport", "MarketStrings", "SafeTextKit"]),
    tests(of: "MarketModel", in: .market, on: ["TestSupport"]),
    tests(of: "MarketAPI", in: .market, on: ["HTTPTestSupport", "MarketModel", "TestSupport"]),
    tests(
      of: "MarketTransfer", in: .market,
      on: [
        "CommandKit", "MarketAPI", "MarketModel", "MarketStore", "MarketStrings", "Posix",
        "TransferTestSupport", "SafeTextKit", "StoreCore", "TestSupport", "TextCoding",
      ]),
    tests(of: "SampleMarket", in: .market, on: ["MarketModel"]),
    // Tests/Stores
    tests(
      of: "StoreCore", in: .stores, on: ["MarketModel", "SQLiteKit", "SafeTextKit", "TestSupport"]),
    tests(
      of: "MarketStore", in: .stores,
      on: [
        "ForgedMarkets", "MarketModel", "Posix", "SQLiteKit", "StoreCore", "CrashTestWriter",
        "TestSupport", "TransferTestSupport",
      ]),
    tests(
      of: "PostgresStore", in: .stores,
      on: [
        "MarketModel", "MarketStore", "PostgresTestSupport", "SQLiteKit", "StoreCore",
        "TestSupport",
      ]),
    // What a market's store promises, over each database.
    .testTarget(
      name: "StoreContractTests",
      dependencies: [
        "Expectations", "MarketModel", "MarketStore", "MarketTransfer", "Posix", "PostgresStore",
        "PostgresTestSupport", "SafeTextKit", "SQLiteKit", "StoreCore", "TestSupport",
        "TransferTestSupport",
      ],
      path: "Tests/Stores/StoreContractTests", swiftSettings: common + test),
    tests(
      of: "PersonalStore", in: .stores,
      on: ["MarketModel", "Posix", "SQLiteKit", "TestSupport"]),
    // Tests/Network
    tests(
      of: "MarketClient", in: .network,
      on: ["HTTPTestSupport", "MarketAPI", "MarketModel", "TestSupport", "TextCoding"]),
    tests(
      of: "MarketPages", in: .network,
      on: ["MarketAPI", "MarketModel", "MarketStrings", "SafeTextKit", "TestSupport"]),
    tests(
      of: "MarketServer", in: .network,
      on: [
        "CommandKit", "CommandTestSupport", "HTTPTestSupport", "MarketAPI", "MarketClient",
        "MarketModel", "MarketPages", "MarketStore", "MarketStrings", "MarketTransfer",
        "PostgresStore", "SQLiteKit", "StoreCore", "TestSupport", "TextCoding", "market",
        "market-server",
      ]),
    // Tests/Screen
    tests(
      of: "TerminalKit", in: .screen, on: ["SafeTextKit", "TerminalTestSupport", "TestSupport"]),
    tests(of: "PictureKit", in: .screen, on: ["MarketModel"]),
    tests(
      of: "MarketViewModels", in: .screen,
      on: [
        "EditorKit", "MarketModel", "PersonalStore", "SafeTextKit", "SellingTestSupport",
        "TestSupport",
      ], ui: true),
    tests(
      of: "MarketViews", in: .screen,
      on: [
        "EditorKit", "MarketModel", "MarketStrings", "MarketViewModels", "PersonalStore",
        "SafeTextKit", "SellingTestSupport", "TerminalKit", "TestSupport",
      ],
      ui: true),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "MarketAPI", "MarketModel", "MarketServer", "PictureKit", "Posix", "TerminalKit",
        "TestSupport",
      ],
      path: "Tests/Fuzz", exclude: ["VisitMarket.swift", "run.sh"], swiftSettings: common + test),
    // Tests/Programs
    tests(
      of: "market", in: .programs,
      on: [
        "CommandKit", "CommandTestSupport", "MarketAPI", "MarketClient", "MarketModel",
        "MarketTransfer", "MarketStore", "MarketStrings", "MarketViewModels", "MarketViews",
        "PersonalStore", "PictureKit", "Posix", "SafeTextKit", "SellingTestSupport", "StoreCore",
        "TerminalKit", "TestSupport",
      ], ui: true),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CommandKit", "Expectations", "HTTPTestSupport", "market", "market-server", "MarketModel",
        "MarketStore",
        "MarketStrings", "MarketViews", "PostgresTestSupport", "SQLiteKit", "SafeTextKit",
        "StoreCore",
        "TerminalTestSupport", "TestSupport", "TextCoding",
      ],
      path: "Tests/Programs/EndToEndTests",
      swiftSettings: common + test),
    .testTarget(
      name: "ServerOverDatabaseTests",
      dependencies: [
        "ClusterTestSupport", "CommandKit", "Expectations", "MarketAPI", "MarketModel",
        "MarketServer",
        "MarketStore", "MarketStrings", "MarketTransfer", "PostgresStore", "PostgresTestSupport",
        "SQLiteKit",
        "SafeTextKit", "StoreCore", "TestSupport", "TransferTestSupport", "market", "market-server",
      ],
      path: "Tests/Programs/ServerOverDatabaseTests", swiftSettings: common + test),
    tool(
      "CrashTestWriter", "Support/CrashTestWriter",
      on: ["MarketModel", "MarketStore", "StoreCore", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

// Programs that measure the others, which are built where LOAD_PROGRAMS is set.
if Context.environment["LOAD_PROGRAMS"] != nil {
  package.targets += [
    tool(
      "market-soak", "Load/Soak", on: ["HTTPTestSupport", "TerminalTestSupport", "TestSupport"]),
    tool(
      "market-demo", "Load/DemoRecorder",
      on: ["MarketModel", "PictureKit", "TerminalTestSupport", "TestSupport", "market"]),
    tool(
      "market-load-cluster", "Load/ClusterLoadTest",
      on: ["ClusterTestSupport", "TestSupport", "market-server"]),
    tool(
      "market-load-watchers", "Load/WatcherLoadTest",
      on: ["MarketModel", "MarketStore", "StoreCore", "TestSupport", "market-server"]),
    tool(
      "BlockRenderBench", "Load/BlockRenderBench", on: ["MarketModel", "PictureKit", "TerminalKit"]),
    tool("URLSessionBaseline", "Load/URLSessionBaseline"),
    tool(
      "market-bench", "Load/Benchmarks",
      on: [
        "MarketAPI", "MarketClient", "MarketModel", "MarketStore", "BlockRenderBench",
        "PictureKit", "PostgresStore", "PostgresTestSupport", "SafeTextKit", "SampleMarket",
        "URLSessionBaseline",
        "SQLiteKit", "StoreCore", "TerminalTestSupport",
      ]),
  ]
}

/// The floor that a target of `Sources/` lives on; nil for others.
func floor(of target: Target) -> Floor? {
  let folders = target.path?.split(separator: "/") ?? []
  return folders.first == "Sources" ? Floor(rawValue: String(folders[1])) : nil
}

// A target imports from floors below its own, or from beside it.
for target in package.targets {
  guard let own = floor(of: target) else { continue }
  for case .byNameItem(let name, _) in target.dependencies {
    guard let other = package.targets.first(where: { $0.name == name }).flatMap(floor(of:)),
      other != own, !own.below.contains(other)
    else { continue }
    fatalError("\(target.name) on floor \(own) may not import \(name) of floor \(other)")
  }
}
