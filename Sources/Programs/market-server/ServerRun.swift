import CommandKit
import Dispatch
import Glibc
import MarketAPI
import MarketClient
import MarketModel
import MarketPages
import MarketServer
import MarketStrings
import PictureKit
import PostgresStore
import SafeTextKit
import StoreCore

/// One run of the server, from opening the store to the last response.
struct ServerRun {
  /// Seconds that running requests get to finish after the listening socket was closed.
  private static let lastSeconds = 10.0
  /// Pause between two deletions of photos that no form has fetched in time.
  private static let uploadCleanupPause = Duration.seconds(60)

  private let options: ServerOptions
  private let location: StoreLocation
  /// Address of the replica for reads; nil if there is none.
  private let replicaAddress: String?
  private let strings: Strings
  private let dialects: [any MarketDialect]
  private let registry = MetricsRegistry()

  init(_ options: ServerOptions, of location: StoreLocation, replica: String? = nil) {
    (self.options, self.location, replicaAddress) = (options, location, replica)
    strings = options.strings
    dialects = DialectList.market(daysIn: .local).served(as: options.api)
  }

  /// Serves until a stop signal; returns the exit status.
  func run() async -> Int32 {
    let limits = options.limits()
    let stopSignal = StopSignal()
    do {
      let store = try await location.open(
        waiting: options.waitSeconds, options.pictureStorageLocation,
        redirecting: options.redirectsPictures, registry
      ) { reason in
        let seconds = options.waitSeconds
        let sentence = strings(
          .databaseWaiting, SafeText(seconds), SafeText(reason), number: seconds)
        Console.warn(sentence)
      }
      let replica = try await openReplica(of: store)
      let socket = try ListeningSocket(on: options.address)
      let log = RequestLog(as: options.logFormat)
      let metrics = ServerMetrics(registry, log, version: ProgramVersion.own.number)
      // A market whose id or name cannot be read is served without it.
      let id = try? await store.ownMarketID()
      if let name = options.marketName {
        try await store.setMarketName(name.isEmpty ? nil : name)
      }
      let name = (try? await store.capabilities())?.marketName
      let (server, health) = try start(
        on: socket, serving: store, readAt: replica, called: (id, name), limits, log, metrics)
      let metricsServer = try serve(metrics)
      let cleanup = Task { await PictureCleanup(of: store, options).run() }
      let uploads = Task { [hasUploads = options.uploadAddress != nil] in
        while hasUploads, (try? await Task.sleep(for: Self.uploadCleanupPause)) != nil {
          // What cannot be deleted now is tried again.
          try? await store.deleteOldUploads()
        }
      }
      let indexing = Task {
        await IndexProgressReporter(indexing: store.indexing, strings: strings).run()
      }
      let counting = Task { await OpenReportCounter(of: store, registry).run() }
      stopSignal.observe()
      let addresses =
        ["listening on http://\(server.address)"]
        + [metricsServer.map { "metrics on http://\($0.address)/metrics" }].compactMap(\.self)
      // A blocked standard error must not prevent stopping.
      DispatchQueue.global().async { for address in addresses { Console.mention(address) } }
      await stopSignal.wait()
      if options.drainSeconds > 0 {
        health.beginDraining()
        server.beginDraining()
        // A second signal ends the drain time.
        await stopSignal.wait(atMost: options.drainSeconds)
      }
      await server.stop(after: Self.lastSeconds)
      await metricsServer?.stop(after: 0)
      cleanup.cancel()
      uploads.cancel()
      indexing.cancel()
      counting.cancel()
      await cleanup.value
      await store.close()
      log.flush()
      return 0
    } catch let error as RepositoryError {
      Console.warn(location.sentence(on: error, strings))
    } catch is OtherMarket {
      Console.warn(strings[.readReplicaOther])
    } catch let failure as ListeningSocket.Failure {
      Console.warn(cannotListen(at: options.address, failure))
    } catch let failure as MetricsFailure {
      if let address = options.metricsAddress {
        Console.warn(cannotListen(at: address, failure.reason))
      }
    } catch {
      Console.warn(SafeText("\(error)"))
    }
    return 1
  }

  private struct OtherMarket: Error {}

  /// Opens the replica; problems are printed, and reads go to the primary then.
  ///
  /// Nil if there is none, or the market is not on PostgreSQL.
  /// - Throws: `OtherMarket` if the replica holds another market, `RepositoryError` if the picture
  ///   storage cannot be used.
  private func openReplica(of market: any ServedMarket) async throws -> PostgresReplica? {
    guard let replicaAddress, let primary = market as? PostgresMarketStore,
      case .database(let store) = location
    else { return nil }
    switch await PostgresReplica.inspect(at: replicaAddress, following: store) {
    case .follows?, nil: break
    case .otherMarket?: throw OtherMarket()
    case let found?: Console.warn(found.sentence(strings))
    }
    let pictures = try options.pictureStorageLocation?.pictures(
      registry, redirecting: options.redirectsPictures, bucket: BucketStorage.connected)
    let replica = PostgresReplica(
      at: replicaAddress, following: primary, pictureProcessor: UploadPreparer(),
      options: StoreLocation.databaseOptions(pictures, registry))
    replica.begin()
    return replica
  }

  private func start(
    on socket: consuming ListeningSocket, serving store: any StoredMarket,
    readAt replica: PostgresReplica?, called names: (MarketID?, String?), _ limits: ServerLimits,
    _ log: RequestLog, _ metrics: ServerMetrics
  ) throws(ListeningSocket.Failure) -> (HTTPServer, HealthResponder) {
    let address =
      options.publicURL.map { PublicAddress.fixed($0) } ?? .asAsked(otherwise: socket.address)
    let writes = WriteHealth(of: store, registry: registry)
    let browsers = BrowserGuard(
      publicURL: options.publicURL,
      hosts: socket.isPrivate ? BrowserGuard.HostNames(options.allowedHosts) : nil,
      before: responder(of: store, replica, at: address, names, writes))
    let health = HealthResponder(store, writing: writes, before: browsers)
    let audience = options.metricsAddress == nil ? MetricsResponder.Audience.local : .nobody
    let server = try HTTPServer(
      on: socket, answering: MetricsResponder(metrics, for: audience, before: health),
      limits: limits, trustsProxy: options.trustsProxy
    ) { event in
      metrics.record(event)
      if case .finished(let request) = event { log.add(request) }
    }
    return (server, health)
  }

  /// Responder of the market, with its replica if there is one.
  private func responder(
    of store: any StoredMarket, _ replica: PostgresReplica?, at address: PublicAddress,
    _ names: (MarketID?, String?), _ writes: WriteHealth
  ) -> any HTTPResponder {
    var api = MarketResponder.Options(
      dialects: dialects, publicAddress: address,
      admission: options.admission, now: { Int64(time(nil)) })
    (api.marketID, api.marketName) = names
    api.storage = options.announcedStorage
    if !options.hasPages { api.capabilities.remove(.pages) }
    if options.uploadAddress != nil { api.capabilities.insert(.uploads) }
    if !options.takesReports { api.capabilities.remove(.reports) }
    (api.registry, api.writes) = (registry, writes)
    // The primary stands in for the replica, so the latter needs no stale responses.
    let replicaAPI = api
    // A local file does not fail temporarily, so stale responses are for databases only.
    if case .database = location { api.stale = StaleIfErrorPolicy() }
    let primary = MarketResponder(store, api)
    guard let replica else {
      return withUploads(
        primary, of: store, ChangesResponder(ChangeBroadcaster(store), before: withPages(primary)))
    }
    let router = ReplicaRouter(
      from: withPages(primary),
      or: withPages(
        MarketResponder(replica.market, replicaAPI, sharing: primary.admission)),
      of: replica, registry: registry)
    return withUploads(
      primary, of: store, ChangesResponder(ChangeBroadcaster(router.log(of: store)), before: router)
    )
  }

  /// Puts pages for photos in front of a market, if they are served.
  private func withUploads(
    _ api: MarketResponder, of store: any StoredMarket, _ next: any HTTPResponder
  ) -> any HTTPResponder {
    guard let address = options.uploadAddress else { return next }
    return UploadsResponder(
      store, at: address, sharing: api, language: options.language, before: next)
  }

  /// Serves the metrics at an address of their own; nil if none was given.
  /// - Throws: `MetricsFailure` if the address cannot be bound.
  private func serve(_ metrics: ServerMetrics) throws(MetricsFailure) -> HTTPServer? {
    guard let address = options.metricsAddress else { return nil }
    do throws(ListeningSocket.Failure) {
      return try HTTPServer(
        on: try ListeningSocket(on: address),
        answering: MetricsResponder(metrics, for: .everybody, before: NotFoundResponder()))
    } catch {
      throw MetricsFailure(reason: error)
    }
  }

  private struct MetricsFailure: Error { let reason: ListeningSocket.Failure }

  private func cannotListen(
    at address: HostAndPort, _ failure: ListeningSocket.Failure
  ) -> SafeText {
    strings(.configCannotListen, SafeText("\(address)"), SafeText(failure.reason))
  }

  /// Puts the pages of a market in front of its API, if pages are served.
  private func withPages(_ api: MarketResponder) -> any HTTPResponder {
    guard options.hasPages else { return api }
    let decoder = PictureDecodingQueue(limits: Self.thumbnailLimits)
    var pages = PagesResponder.Options(
      decode: { file, box in
        try? await decoder.decode(file, into: box.size, box.isFilled ? .fill : .fit)
      }, measure: { try? PictureHeader($0).size })
    (pages.guests, pages.timeZone, pages.language) = (options.guests, .local, options.language)
    return PagesResponder(pages, before: api)
  }

  /// Limits of a thumbnail, which is small; a larger one in an untrusted market file is not decoded.
  private static let thumbnailLimits = DecodingLimits(
    memory: 16 << 20, fileBytes: 1 << 20, time: .milliseconds(500))
}

extension ServerOptions {
  /// Limits of the options, as far as this process has descriptors for them; the soft limit is raised
  /// first.
  ///
  /// Each connection takes a descriptor, and a process has 1,024 by default.
  func limits() -> ServerLimits {
    var limits = ServerLimits()
    limits.watchers = watchers
    limits.watchersOfAddress = watchersPerAddress
    if uploadAddress != nil { UploadsResponder.raise(&limits) }
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return limits }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(limits.descriptors)))
    setrlimit(resource, &limit)
    return limits.fitting(descriptors: Int(min(limit.rlim_cur, rlim_t(Int32.max))))
  }
}
