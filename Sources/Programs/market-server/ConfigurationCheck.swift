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

/// Check of everything that starting a server needs; it serves nothing and changes nothing.
struct ConfigurationCheck {
  /// Result of one check.
  struct Finding: Hashable {
    /// Severity of a result.
    enum Kind: Hashable {
      case fine
      /// Starting works, but the operator should know this.
      case note
      /// Starting would fail.
      case wrong
    }

    let kind: Kind
    let sentence: SafeText
  }

  private let options: ServerOptions
  private let location: StoreLocation
  /// Address of the replica; nil if there is none.
  private let replica: String?
  private let strings: Strings

  init(_ options: ServerOptions, of location: StoreLocation, replica: String? = nil) {
    (self.options, self.location, self.replica) = (options, location, replica)
    strings = options.strings
  }

  /// Prints the results, one line each; returns exit status 1 if starting would fail.
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
    if let replica, let found = await check(replica: replica) { findings.append(found) }
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
    let verdict =
      switch finding.kind {
      case .fine: strings[.configFine]
      case .note: strings[.configNote]
      case .wrong: strings[.configWrong]
      }
    return strings(.configLine, verdict, finding.sentence)
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
      // A server of a replica that follows another database can still answer reads.
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

  /// Checks how far the replica lags behind the store; nil if the store does not answer.
  private func check(replica address: String) async -> Finding? {
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

  /// Checks whether pictures can be read from a storage; writes nothing.
  ///
  /// A storage that does not answer is a note, since a server starts without it.
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

  /// Binds an address as a server would, and releases it.
  private func listening(at address: HostAndPort) -> Finding {
    let name = SafeText("\(address)")
    do throws(ListeningSocket.Failure) {
      _ = try ListeningSocket(on: address)
      return Finding(kind: .fine, sentence: strings(.configFree, name))
    } catch {
      // The running server may use the address.
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

  /// Binds the address of the metrics beside that of the market, and releases both.
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
