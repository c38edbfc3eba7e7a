/// A server that has answered nothing yet, asked over one connection: answers that it remembers
/// would say nothing of what they cost.
struct FreshServer {
  /// Words of generated products, alone and in pairs, in both languages.
  static let searches: [String] = {
    let names = [
      "자전거", "bicycle", "이어폰", "guitar", "의자", "mug", "카메라", "desk", "노트북", "phone", "텐트",
      "coat", "키보드", "lamp", "스피커",
    ]
    let others = ["", " 블랙", " red", " mini", " 상점", " Pro", " 한정판"]
    return names.flatMap { name in others.map { name + $0 } }
  }()

  private let server: LocalServer
  private let connection: LocalConnection

  init(_ size: Size, _ bench: Bench) throws {
    let market = try bench.requiredMarket()
    let store = try market.generated(size.count)
    // What the system has not kept in memory would measure the disk.
    try bench.workbench.run(
      ["sh", "-c", "cat \"$1\" >/dev/null", "sh", store], environment: Tool.environment)
    try self.init(market.server(on: store))
  }

  init(_ server: LocalServer) throws {
    self.server = server
    connection = try LocalConnection(port: server.port)
    // Opens the store's connections, by a page size that is not measured later.
    _ = try connection.body(of: "/api/products?items_per_page=1")
  }

  func page(_ number: Int) -> String { "/api/products?page_no=\(number)&items_per_page=20" }

  func detail(_ id: Int) -> String { "/api/products/\(id)" }

  func search(_ words: String) -> String { search(words, size: 20) }

  func search(_ words: String, size: Int) -> String {
    "/api/products?page_no=1&items_per_page=\(size)&search_value=" + Self.encoded(words)
  }

  /// Words as they stand in a query.
  static func encoded(_ words: String) -> String {
    words.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Milliseconds of each request.
  func times(_ paths: [String], accepting type: String? = nil) throws -> [Double] {
    try paths.map { path throws(BenchError) in try connection.time(path, accepting: type) }
  }
}
