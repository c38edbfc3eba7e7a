import MarketModel
import MarketPages

/// Cache of what a server has computed from one market: responses, and what they are made of.
typealias ServerCache = VersionedCache<ServerCacheKey, ServerCacheValue>

/// Key of a cached value.
enum ServerCacheKey: Hashable, Sendable {
  /// Response of the API: target as in the request line, and what the addresses in the response are
  /// made of, unchecked, since a request with an invalid `Host` has no cached response.
  case response(target: String, host: String, isSecure: Bool)
  /// Page for browsers or terminals.
  case page(PageKey)
  /// Number of products that a query finds; indirect, since all keys are as large as the largest.
  indirect case total(PageRequest)
  case sitemap(Sitemap.Page)
  /// Picture for terminals.
  case picture(locator: String, TerminalPage.PictureBox)
  /// Size of a picture that stands for a page.
  case pictureSize(locator: String)

  /// What makes the entry stale.
  ///
  /// A part of the site map reads fifty thousand products, so it may be an hour old; the picture behind a
  /// locator never changes.
  var lifetime: CacheLifetime {
    switch self {
    case .response, .page, .total: .dataVersion
    case .sitemap, .picture, .pictureSize: .hour
    }
  }
}

/// Cached value, of the kind that its key names.
enum ServerCacheValue: Sendable {
  case response(CachedResponse)
  case total(Int)
  /// Index of the site map of a market with this number of products.
  case sitemapIndex(Int)
  case sitemapPart(Sitemap.Entries)
  case picture(BlockPicture)
  case pictureSize(PixelSize)
  /// Nothing to cache: there is no such value, or the market failed.
  case nothing(RepositoryError?)

  /// Approximate memory in bytes, with that of the key; nil for what is not cached.
  var byteCount: Int? {
    switch self {
    case .response(let response): response.isSuccess ? response.byteCount : nil
    case .total: 512
    case .sitemapIndex: 64
    case .pictureSize: 256
    case .sitemapPart(let entries): entries.byteCount + 64
    case .picture(let picture): picture.byteCount
    case .nothing: nil
    }
  }

  var response: CachedResponse? { if case .response(let response) = self { response } else { nil } }
}

extension VersionedCache where Key == ServerCacheKey, Value == ServerCacheValue {
  /// Creates a cache of 16 MiB for each data version and 32 MiB for each hour.
  ///
  /// In an entry of the site map a product takes about two bytes. The clock `now` keeps stale responses.
  convenience init(
    _ registry: MetricsRegistry,
    keepingStaleBy now: (@Sendable () -> ContinuousClock.Instant)? = nil
  ) {
    let (answers, pages) = (CacheMetrics("answers", registry), CacheMetrics("pages", registry))
    self.init(
      limit: 16 << 20, hourLimit: 32 << 20, lifetime: { $0.lifetime },
      meters: { key in
        switch key {
        case .response: answers
        case .page: pages
        case .total, .sitemap, .picture, .pictureSize: nil
        }
      }, keepingStaleBy: now, cost: { $0.byteCount })
  }
}

/// Metrics of one cache.
struct CacheMetrics: Sendable {
  let hits: CounterMetric
  let misses: CounterMetric
  /// Requests that waited for a concurrent computation.
  let shared: CounterMetric
  /// Requests answered with a stale value.
  let stale: CounterMetric

  init(_ name: String, _ registry: MetricsRegistry) {
    hits = registry.counter(.remembered, name, "hit")
    misses = registry.counter(.remembered, name, "miss")
    shared = registry.counter(.remembered, name, "shared")
    stale = registry.counter(.remembered, name, "stale")
  }
}
