import CommandKit
import MarketServer
import MarketStrings
import MarketTransfer
import SafeTextKit
import StoreCore

/// Commands of the server program.
enum ServerCommands {
  /// Run of a command; returns the exit status.
  typealias Run = @Sendable () async -> Int32

  static var table: CommandTable<ServerOptions, Run> {
    let program = "market-server"
    return CommandTable(
      program, version: .own, .serveTitle, .serveAbout,
      commands: [serving, receivingPhotos]
        + OperatorCommands.all(
          program, store: ServerOptions.storeOptions,
          move: { request, options throws(CommandLineError) in
            let run = try StoreCommandRun(options)
            return { await run.transfer(request) }
          },
          operate: { request, options throws(CommandLineError) in
            let run = try StoreCommandRun(options)
            return { await run.operate(request) }
          }),
      everywhere: [ServerOptions.languageOption],
      firstExamples: [
        Example("market-server --listen 127.0.0.1:8080 --store team.sqlite", .exampleServe),
        Example("market-server --store postgresql://openmarket@db/market", .exampleServeDatabase),
        Example("market-server --check-config --store team.sqlite", .exampleCheckConfig),
        Example("market-server backup market-backup.sqlite --store team.sqlite", .exampleBackup),
      ],
      topics: topics, related: ["market(1)", "psql(1)"], defaults: ServerOptions(),
      hidden: StoreLocation.withoutAddress
    ) { text in
      {
        Console.say(text)
        return 0
      }
    }
  }

  private static var serving: Subcommand<ServerOptions, Run> {
    Subcommand(
      "", .groupRun, .serveAbout,
      options: ServerOptions.servingOptions + ServerOptions.storeOptions,
      examples: [
        Example(
          "market-server --drain-timeout 10 --public-url https://market.example", .exampleServeProxy
        ),
        Example("market-server --check http://127.0.0.1:8080", .exampleCheck),
      ]
    ) { options throws(CommandLineError) in
      switch options.check {
      case .none:
        try options.checkPictures()
        let (location, replica) = (try options.location(), try options.replicaAddress())
        if options.checksConfiguration {
          return { await ConfigurationCheck(options, of: location, replica: replica).run() }
        }
        let zone = options.marketTimeZone
        if let mistake = zone.mistake { throw mistake }
        return {
          // The zone belongs to the whole process, in which nothing else runs yet.
          zone.set()
          return await ServerRun(options, of: location, replica: replica).run()
        }
      case .own:
        return { await HealthCheckRun(of: "http://\(options.address)", options.strings).run() }
      case .address(let address):
        return { await HealthCheckRun(of: address, options.strings).run() }
      }
    }
  }

  /// Command that `market` runs for photos from a telephone.
  private static var receivingPhotos: Subcommand<ServerOptions, Run> {
    Subcommand(
      "receive-photos", .groupRun, .receiverAbout, options: [ServerOptions.listenOption],
      examples: [
        Example("market-server receive-photos --listen 192.168.0.12:0", .exampleReceive),
        Example("market-server receive-photos --listen 192.168.0.12:8000", .exampleReceivePort),
      ]
    ) { options throws(CommandLineError) in
      { await ReceivePhotosRun(options).run() }
    }
  }

  private static var topics: [HelpTopic] {
    [
      HelpTopic("environment", .manEnvironment) { strings in
        [
          .item("XDG_DATA_HOME", strings[.environmentData]),
          .item("TZ", strings[.environmentTimeZone]),
          .item("MARKET_PICTURES", strings[.environmentPictures]),
          .item("MARKET_PICTURES_KEYS", strings[.environmentPictureKeyFile]),
          .item("AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY", strings[.environmentPictureKeys]),
          .item("PGPASSFILE, PGPASSWORD", strings[.environmentPassword]),
          .item("PGCONNECT_TIMEOUT", strings[.environmentTimeout]),
        ]
      },
      HelpTopic("files", .manFiles) { strings in
        [
          .item("$XDG_DATA_HOME/market/market.sqlite", strings[.fileStore]),
          .item("~/.pgpass", strings[.filePasswords]),
          .item("*.csv, *.tsv", strings[.fileTables]),
        ]
      },
      HelpTopic("exit-status", .manExitStatus) { strings in
        [
          .item("0", strings[.exitSuccess]), .item("1", strings[.exitFailure]),
          .item("2", strings[.exitUsage]), .item("4", strings[.exitNotFound]),
        ]
      },
    ]
  }
}
