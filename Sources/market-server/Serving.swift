import Glibc
import MarketModel
import MarketServer
import MarketStrings
import SafeText

/// One run of the server, from opening the store to the last answer.
struct Serving {
  private static let drainSeconds = 10.0

  private let options: ServerOptions

  init(_ options: ServerOptions) {
    self.options = options
  }

  /// Serves until a signal asks to stop.
  ///
  /// - Returns: what the program exits with.
  func run() async -> Int32 {
    raiseDescriptorLimit()
    let stopSignal = StopSignal()
    let place = options.place
    do {
      let store = try await place.open()
      let socket = try ListeningSocket(on: options.address)
      let log = RequestLog()
      let server = try start(on: socket, serving: store, log)
      Console.say("listening on http://\(server.address)")
      await stopSignal.wait()
      await server.stop(after: Self.drainSeconds)
      log.flush()
      return 0
    } catch let error as RepositoryError {
      Console.complain(place.sentence(on: error, Strings(options.language)).string)
    } catch let failure as ListeningSocket.Failure {
      Console.complain("cannot listen on \(options.address): \(failure.reason)")
    } catch {
      Console.complain("\(error)")
    }
    return 1
  }

  private func start(
    on socket: consuming ListeningSocket, serving store: any ServedMarket, _ log: RequestLog
  ) throws(ListeningSocket.Failure) -> HTTPServer {
    let address =
      options.publicURL.map { PublicAddress.fixed($0) } ?? .asAsked(otherwise: socket.address)
    let responder = MarketResponder(
      store,
      MarketResponder.Options(
        variant: options.variant, publicAddress: address, intake: options.intake,
        now: { Int64(time(nil)) }))
    let metrics = ServerMetrics()
    return try HTTPServer(
      on: socket, answering: MetricsResponder(metrics, log, before: responder),
      trustsProxy: options.trustsProxy
    ) { event in
      metrics.record(event)
      if case .finished(let request) = event { log.add(request) }
    }
  }

  /// Each connection is a descriptor, and 1,024 are what a process has unless it asks for more.
  private func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 4_096)
    setrlimit(resource, &limit)
  }
}
