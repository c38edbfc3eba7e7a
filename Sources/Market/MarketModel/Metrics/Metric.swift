/// Metric of a server, with its name in monitoring systems.
///
/// Dashboards and alert rules use the names: change `Resources/monitoring` together with them.
package enum Metric: String, CaseIterable, Hashable, Sendable {
  case requests = "market_requests_total"
  case requestTime = "market_request_seconds"
  case sentBytes = "market_sent_bytes_total"
  case connections = "market_connections"
  case queryTime = "market_query_seconds"
  case remembered = "market_cache_requests_total"
  case reads = "market_reads_total"
  case replicaAge = "market_standby_age_seconds"
  case poolWait = "market_pool_wait_seconds"
  case poolUse = "market_pool_use_seconds"
  case poolTimeouts = "market_pool_timeouts_total"
  case poolConnections = "market_pool_connections"
  case poolWaiting = "market_pool_waiting"
  case repeats = "market_transaction_retries_total"
  case passwordWait = "market_password_wait_seconds"
  case passwordTime = "market_password_seconds"
  case pictureTime = "market_picture_seconds"
  case storageTime = "market_storage_seconds"
  case limited = "market_requests_limited_total"
  case storeFull = "market_store_full"
  case openReports = "market_reports_open"
  case watchers = "market_watchers"
  case droppedWatchers = "market_watchers_dropped_total"
  case sentEvents = "market_events_sent_total"
  case lostLogLines = "market_lost_log_lines_total"
  case version = "market_build_info"
  case residentBytes = "process_resident_memory_bytes"
  case processorTime = "process_cpu_seconds_total"
  case descriptors = "process_open_fds"
  case descriptorLimit = "process_max_fds"
  case startTime = "process_start_time_seconds"

  package enum Kind: String, Sendable {
    /// Value that only increases.
    case counter
    case gauge
    /// Histogram of durations.
    case histogram
  }

  package struct Description: Sendable {
    package let kind: Kind
    package let labels: [String]
    /// One sentence for the `# HELP` line.
    package let meaning: String

    fileprivate init(_ kind: Kind, _ labels: [String], _ meaning: String) {
      self.kind = kind
      self.labels = labels
      self.meaning = meaning
    }

    fileprivate init(_ kind: Kind, _ meaning: String) { self.init(kind, [], meaning) }
  }

  package var description: Description {
    switch self {
    case .requests:
      Description(.counter, ["route", "method", "status"], "Requests that are over.")
    case .requestTime:
      Description(
        .histogram, ["route", "method"],
        "Time from a request's head to the last byte of its answer, without watchers.")
    case .sentBytes: Description(.counter, ["route"], "Bytes of bodies that were sent.")
    case .connections: Description(.gauge, "Clients that are connected.")
    case .queryTime:
      Description(
        .histogram, ["kind"], "Time that the market took for what no memory could answer.")
    case .remembered:
      Description(
        .counter, ["memory", "outcome"],
        "Questions to a memory: hit, miss, or shared with somebody who asked at the same time.")
    case .reads:
      Description(
        .counter, ["place"],
        "Reads by where they were answered: standby, or primary where the standby would not do.")
    case .replicaAge:
      Description(
        .gauge, "Time since the state of the market that the standby is known to have come to.")
    case .poolWait:
      Description(.histogram, ["pool"], "Time that calls waited for a connection to the database.")
    case .poolUse: Description(.histogram, ["pool"], "Time that calls held a connection.")
    case .poolTimeouts:
      Description(.counter, ["pool"], "Calls that gave up waiting for a connection.")
    case .poolConnections:
      Description(.gauge, ["pool", "state"], "Places for connections to the database.")
    case .poolWaiting: Description(.gauge, ["pool"], "Calls that wait for a connection.")
    case .repeats:
      Description(
        .counter, ["pool", "reason"],
        "Transactions that ran again after a conflict or a lost connection.")
    case .passwordWait:
      Description(.histogram, "Time that passwords waited for their turn to be hashed.")
    case .passwordTime: Description(.histogram, "Time that hashing a password took.")
    case .pictureTime:
      Description(.histogram, ["outcome"], "Time that making an uploaded picture fit took.")
    case .storageTime:
      Description(
        .histogram, ["operation", "outcome"],
        "Time that the storage of pictures outside took for a file.")
    case .limited:
      Description(.counter, ["limit"], "Requests that were refused because of a limit.")
    case .storeFull:
      Description(.gauge, "Whether the last write failed because the store had no room; 0 or 1.")
    case .openReports:
      Description(.gauge, "Reports that no operator has dealt with, as of at most 15 seconds ago.")
    case .watchers: Description(.gauge, "Clients that watch what changes.")
    case .droppedWatchers:
      Description(.counter, "Watchers that did not take what they were sent.")
    case .sentEvents: Description(.counter, "Events that were sent to watchers.")
    case .lostLogLines: Description(.counter, "Lines that the log could not take.")
    case .version: Description(.gauge, ["version"], "Version of the server; always 1.")
    case .residentBytes: Description(.gauge, "Resident memory.")
    case .processorTime: Description(.counter, "Processor time of user and system.")
    case .descriptors: Description(.gauge, "Descriptors that are open.")
    case .descriptorLimit: Description(.gauge, "Descriptors that may be open.")
    case .startTime: Description(.gauge, "Time at which the process began, since 1970.")
    }
  }
}

package struct MetricSample: Sendable {
  package enum Value: Sendable {
    case number(Double)
    case durations(DurationHistogram)
  }

  package let metric: Metric
  /// Values of the metric's labels, in their order.
  package let labels: [String]
  package let value: Value

  package init(_ metric: Metric, _ labels: [String], _ value: Value) {
    self.metric = metric
    self.labels = labels
    self.value = value
  }

  /// Sample of a metric without labels.
  package init(_ metric: Metric, _ value: Value) { self.init(metric, [], value) }
}
