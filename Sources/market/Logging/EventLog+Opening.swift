import CommandKit
import MarketModel
import MarketStrings
import SafeText

extension EventLog {
  /// Opens the log that the options ask for and says where it begins; one that cannot be opened is
  /// told on standard error, and the run goes on without it.
  static func open(_ options: MarketOptions) -> EventLog {
    guard let path = options.logPath else { return .off }
    do throws(SystemError) {
      let file = try LogFile(path)
      let log = EventLog { file.write($0) }
      for line in Doctor.surroundings { log.record(line) }
      return log
    } catch {
      let strings = options.strings
      Console.warn(strings(.logNotOpened, SafeText(path), error.text(strings)))
      return .off
    }
  }
}
