import Dispatch
import ForgedMarkets
import Glibc
import MarketModel

/// Forges a market file from libFuzzer's bytes, and calls every operation on it: each must return, or
/// throw an error that has a message.
package func visitMarket(_ bytes: [UInt8]) {
  forgery.write(by: bytes, to: path)
  waiting {
    for failure in await ForgedMarketVisit(path).failures {
      if case .store(.failed(let code)) = failure {
        fatalError("nobody can be told what \(code) is")
      }
    }
  }
}

private let path = "/tmp/market-fuzz-\(getpid()).sqlite"

private let forgery: MarketForgery = {
  nonisolated(unsafe) var made: MarketForgery?
  waiting { made = try? await MarketForgery(schemaFolder: "Resources/schema", at: path) }
  guard let made else { fatalError("no market to forge") }
  atexit { MarketForgery.remove(path) }
  return made
}()

/// Runs something to its end; libFuzzer's timeout bounds it.
private func waiting(for body: @escaping @Sendable () async -> Void) {
  let end = DispatchSemaphore(value: 0)
  Task {
    await body()
    end.signal()
  }
  end.wait()
}
