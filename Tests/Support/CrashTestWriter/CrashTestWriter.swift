import Glibc
import MarketModel
import MarketStore
import StoreCore
import TestSupport

/// Registers, changes and deletes products in the store that its argument names until it is
/// killed, and prints each product the moment the store has acknowledged it.
@main enum CrashTestWriter {
  static func main() async throws {
    guard let path = CommandLine.arguments.dropFirst().first else { return }
    let options = SQLiteStore.Options(
      createsFile: true, passwordCost: .least)
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(), options: options)
    for number in 0... {
      let picture = PictureFile.jpeg(UInt8(number % 200), byteCount: 20_000)
      let id = try await store.register(.sample(name: "mug \(number)", pictures: [picture])).id
      say("there \(id.rawValue) \(number)")
      if number % 3 == 1 {
        _ = try await store.update(
          id, with: ProductPatch(stock: 0), password: Password("secret"), by: .guest,
          expecting: nil)
      }
      if number % 3 == 2 {
        // Whether it is still there is open until the deletion is acknowledged.
        say("open \(id.rawValue) \(number)")
        _ = try await store.delete(id, password: Password("secret"), by: .guest)
        say("gone \(id.rawValue) \(number)")
      }
    }
  }

  /// Writes a line at once; `print` would keep it back in a pipe.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    write(STDOUT_FILENO, bytes, bytes.count)
  }
}
