import CommandKit
import Glibc
import MarketClient
import MarketModel
import MarketServer
import MarketStore
import MarketStrings
import PostgresStore
import SafeTextKit
import StoreCore

/// Look at everything that starting a server needs, which serves nothing and changes nothing.
struct ConfigurationCheck {
  /// One line of what was found.
  struct Finding: Hashable {
    enum Kind: Hashable {
      case fine
      /// Starting works, but whoever starts should know it.
      case note
      /// Starting would fail.
      case wrong
    }

    let kind: Kind
    let sentence: SafeText
  }

  private let options: ServerOptions
  private let location: StoreLocation
  /// Where reads may go to.
  private let reads: String?
  private let strings: Strings

  init(_ options: ServerOptions, of location: StoreLocation, readingAt reads: String? = nil) {
    self.options = options
    self.location = location
    self.reads = reads
    strings = options.strings
  }

  /// Says what was found, one line each, and gives the exit status: 1 where starting would fail.
  func run() async -> Int32 {
    let findings = await findings()
    for finding in findings { Console.say(line(of: finding)) }
    return findings.contains { $0.kind == .wrong } ? ExitStatus.failure : 0
  }

  func findings() async -> [Finding] {
    var findings: [Finding] = []
    if let file = options.storeFile {
      findings.append(Finding(kind: .fine, sentence: strings(.configPrivateFile, SafeText(file))))
    }
    findings.append(await store())
    if let reads, let replica = await replica(at: reads) { findings.append(replica) }
    if let location = options.pictureStorageLocation {
      findings.append(await pictures(at: location))
    }
    findings.append(listening(at: options.address))
    if let address = options.metricsAddress { findings.append(metrics(at: address)) }
    findings.append(timeZone())
    findings.append(watchers())
    return findings
  }

  private func line(of finding: Finding) -> SafeText {
    let mark =
      switch finding.kind {
      case .fine: strings[.configFine]
      case .note: strings[.configNote]
      case .wrong: strings[.configWrong]
      }
    return strings(.configLine, mark, finding.sentence)
  }

  private func store() async -> Finding {
    let name =
      switch location {
      case .file(let path): SafeText(path)
      case .database: strings[.configDatabase]
      }
    let inspection: StoreInspection
    do throws(RepositoryError) {
      switch location {
      case .file(let path): inspection = try await SQLiteStore.inspect(at: path)
      case .database(let address): inspection = try await PostgresMarketStore.inspect(at: address)
      }
    } catch {
      return Finding(kind: .wrong, sentence: location.sentence(on: error, strings))
    }
    guard inspection.isWritable else {
      // A server of a copy that follows another database answers what is read.
      let isFollower = inspection.tables == .current && location.isDatabase
      return Finding(
        kind: isFollower ? .note : .wrong, sentence: strings(.configReadOnly, name))
    }
    switch inspection.tables {
    case .missing: return Finding(kind: .fine, sentence: strings(.configEmpty, name))
    case .outdated(let version):
      return Finding(
        kind: .note,
        sentence: strings(
          .configOutdated, name, SafeText(version), SafeText(inspection.version)))
    case .current:
      return Finding(
        kind: .fine, sentence: strings(.configReady, name, SafeText(inspection.version)))
    }
  }

  /// Looks how far behind the store a standby is; nil where the store itself does not answer.
  private func replica(at address: String) async -> Finding? {
    guard case .database(let store) = location,
      let found = await PostgresReplica.inspect(at: address, following: store)
    else { return nil }
    let kind: Finding.Kind =
      switch found {
      case .follows: .fine
      case .otherMarket: .wrong
      // Reads go to the store then.
      case .lags, .followsNobody, .silent: .note
      }
    return Finding(kind: kind, sentence: found.sentence(strings))
  }

  /// Looks whether pictures can be read at a place; nothing is written there.
  ///
  /// A server goes on without a place that does not answer, also at its start.
  private func pictures(at location: PictureStorageLocation) async -> Finding {
    let name = SafeText(location.word)
    var kind = Finding.Kind.wrong
    do throws(RepositoryError) {
      let outside = try location.pictures(bucket: BucketStorage.connected)
      kind = .note
      try await outside.check()
      return Finding(kind: .fine, sentence: strings(.configPictures, name))
    } catch {
      let sentence =
        location.missingFolder(strings)
        ?? strings(.configNoPictures, name, SafeText(error.reason))
      return Finding(kind: kind, sentence: sentence)
    }
  }

  /// Takes an address as a server would, and gives it back.
  private func listening(at address: HostAndPort) -> Finding {
    let name = SafeText("\(address)")
    do throws(ListeningSocket.Failure) {
      _ = try ListeningSocket(on: address)
      return Finding(kind: .fine, sentence: strings(.configFree, name))
    } catch {
      // The server that is running has it, as long as it runs.
      return error.isTaken
        ? Finding(kind: .note, sentence: strings(.configTaken, name))
        : Finding(
          kind: .wrong, sentence: strings(.configCannotListen, name, SafeText(error.reason)))
    }
  }

  private func timeZone() -> Finding {
    let zone = options.marketTimeZone
    guard let mistake = zone.mistake else {
      return Finding(kind: .fine, sentence: strings(.configTimeZone, SafeText(zone.name)))
    }
    return Finding(kind: .wrong, sentence: mistake.text(strings))
  }

  /// Takes the metrics' address beside that of the market, and gives both back.
  private func metrics(at address: HostAndPort) -> Finding {
    let finding = listening(at: address)
    var isSame = address == options.address && address.port != 0
    if finding.kind == .fine, let market = try? ListeningSocket(on: options.address) {
      isSame = isSame || isTaken(address, beside: market)
    }
    guard isSame else { return finding }
    return Finding(kind: .wrong, sentence: strings(.configSameAddress, SafeText("\(address)")))
  }

  private func isTaken(_ address: HostAndPort, beside market: borrowing ListeningSocket) -> Bool {
    do throws(ListeningSocket.Failure) {
      _ = try ListeningSocket(on: address)
      return false
    } catch {
      return error.isTaken
    }
  }

  private func watchers() -> Finding {
    let count = options.limits().watchers
    return Finding(
      kind: count < options.watchers ? .note : .fine,
      sentence: strings(.configWatchers, SafeText(count), SafeText(options.watchers)))
  }
}
