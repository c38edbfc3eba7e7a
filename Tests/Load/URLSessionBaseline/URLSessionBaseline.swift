import Foundation
import FoundationNetworking

/// Gets a page of products again and again, as programs with URLSession and Codable do, and prints the
/// milliseconds that each took: `URLSessionBaseline URL COUNT CONCURRENCY`.
@main enum URLSessionBaseline {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let url = URL(string: words[1]), let count = Int(words[2]),
      let concurrency = Int(words[3])
    else { exit(2) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = concurrency
    let session = URLSession(configuration: configuration)
    for _ in 0..<20 { try await get(url, session) }
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<concurrency {
        group.addTask { for _ in 0..<count / concurrency { try await get(url, session) } }
      }
      try await group.waitForAll()
    }
    print(start.duration(to: .now) / .milliseconds(1) / Double(count))
  }

  private static func get(_ url: URL, _ session: URLSession) async throws {
    let (data, _) = try await session.data(from: url)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let page = try decoder.decode(Page.self, from: data)
    guard !page.pages.isEmpty else { exit(1) }
  }
}

/// A page as v2 of the API has it.
private struct Page: Decodable {
  let totalCount: Int
  let hasNext: Bool
  let nextCursor: String?
  let pages: [Row]
}

private struct Row: Decodable {
  let id: Int64
  let vendorId: Int64
  let vendorName: String
  let name: String
  let description: String
  let thumbnail: String
  let currency: String
  let price: Decimal
  let bargainPrice: Decimal
  let discountedPrice: Decimal
  let stock: Int64
  let createdAt: String
  let issuedAt: String
}
