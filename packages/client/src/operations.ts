/** Generated from the server's table of routes by `npm run docs`: change the routes, not this file. */

export interface Annotation {
  /** Datasets on whose charts it appears. */
  readonly datasets: readonly string[];
  /** Kind of event, such as `deploy`. */
  readonly type: string;
  readonly time: string;
  readonly endTime?: string;
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly id: string;
}

export interface AplRequest {
  /** The query. */
  readonly apl: string;
  /** RFC 3339 or relative, as in `now-1h`; inclusive. */
  readonly startTime?: string;
  /** Likewise; inclusive. */
  readonly endTime?: string;
  /** Row id of an earlier answer to continue from. */
  readonly cursor?: string;
  /** Start with the event of the cursor itself. */
  readonly includeCursor?: boolean;
  /** Adds the column `_cursor`. */
  readonly includeCursorField?: boolean;
  /** A position in the log, such as `X-Millrace-Settled` of an earlier answer: what arrived later is left out, so that the answer is what it was then but for what was removed. */
  readonly asOf?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly queryOptions?: Readonly<Record<string, unknown>>;
  /** 0 for the default. */
  readonly maxBinAutoGroups?: number;
  /** Rows, if the query does not say how many. */
  readonly defaultLimit?: number;
  /** Order of events, if the query does not say which. */
  readonly defaultOrder?: readonly { readonly field: string; readonly desc?: boolean }[];
}

export interface CatalogueAnswer {
  readonly principal: {
    readonly kind: 'api-token' | 'personal-token';
    readonly tokenId: string;
    readonly tokenName: string;
    /** Whose personal token it is, or who made the API token. */
    readonly userId: string;
    readonly userName: string;
    readonly email: string;
    /** Of the browser that asks, if it is signed in. */
    readonly sessionId?: string;
  };
  /** A right that any of these gives is held. */
  readonly capabilities: readonly {
    readonly datasetCapabilities: DatasetCapabilities;
    readonly orgCapabilities: OrgCapabilities;
    readonly viewCapabilities: ViewCapabilities;
  }[];
  /** Events make the dataset that they are sent to. */
  readonly autoCreateDatasets: boolean;
  /** Those that the caller may query or look after. */
  readonly datasets: readonly {
    /** The same as `name`. */
    readonly id: string;
    readonly name: string;
    readonly description: string;
    /** Who created it. */
    readonly who: string;
    readonly created: string;
    readonly updatedAt: string;
    /** What the dataset holds; those of OpenTelemetry begin with the map field `attributes.custom`. */
    readonly kind: 'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1';
    /** Whether it takes events: the audit log takes none. */
    readonly canWrite: boolean;
    readonly useRetentionPeriod: boolean;
    readonly retentionDays: number;
    readonly mapFields: readonly string[];
    readonly edgeDeployment: string;
    /** Its schema is locked. */
    readonly locked: boolean;
    /** In the order of their names. */
    readonly fields: readonly DatasetField[];
  }[];
  /** Of those datasets. */
  readonly virtualFields: readonly VirtualField[];
  /** Those that the caller may query. */
  readonly views: readonly View[];
}

/** Members beyond these are kept as they are sent. */
export interface ChangeEvaluation {
  /** Of the trace that the run is. */
  readonly id?: string;
  readonly name?: string;
  /** Where the spans of the run are. */
  readonly dataset?: string;
  /** `running`, `completed`, `errored` or `cancelled`. */
  readonly status?: string;
  readonly totalCases?: number;
  readonly successCases?: number;
  readonly erroredCases?: number;
  readonly durationMs?: number;
}

export interface CreateAnnotation {
  /** Datasets on whose charts it appears. */
  readonly datasets: readonly string[];
  /** Kind of event, such as `deploy`. */
  readonly type: string;
  /** When it happened; now if left out. */
  readonly time?: string;
  /** When it was over. */
  readonly endTime?: string;
  readonly title?: string;
  readonly description?: string;
  /** Where to read more. */
  readonly url?: string;
}

export interface CreateDataset {
  /** Unique name: 1 to 128 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit. */
  readonly name: string;
  /** What the dataset is for. */
  readonly description?: string;
  /** What the dataset holds; those of OpenTelemetry begin with the map field `attributes.custom`. */
  readonly kind?: 'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1';
  /** Kept and given back; no other effect. */
  readonly edgeDeployment?: string;
  /** Days events are kept; 0 for ever. */
  readonly retentionDays?: number;
  /** Remove events older than `retentionDays`. */
  readonly useRetentionPeriod?: boolean;
}

export interface CreateDatasetV1 {
  /** Unique name: 1 to 128 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit. */
  readonly name: string;
  /** What the dataset is for. */
  readonly description?: string;
  /** Kept and given back; no other effect. */
  readonly edgeDeployment?: string;
  /** Older name of `edgeDeployment`. */
  readonly region?: string;
}

export interface CreatePersonalToken {
  /** For people to recognise it by. */
  readonly name: string;
  readonly description?: string;
  /** When it stops working, in the future; never if left out. */
  readonly expiresAt?: string;
  /** Whose token it is; your own if left out. */
  readonly userId?: string;
}

export interface CreateToken {
  /** For people to recognise it by. */
  readonly name: string;
  readonly description?: string;
  /** When it stops working, in the future; never if left out. */
  readonly expiresAt?: string;
  readonly datasetCapabilities?: DatasetCapabilities;
  readonly orgCapabilities?: OrgCapabilities;
  readonly viewCapabilities?: ViewCapabilities;
}

export interface CreateUser {
  readonly name: string;
  readonly email: string;
  /** Id or name of a role. */
  readonly role: string;
}

export interface CreatedPersonalToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string | null;
  readonly userId: string;
  readonly created: string;
  /** By a request or by a session that it began; absent if it was not used since this is kept. */
  readonly lastUsed?: string;
  /** The secret; it is never shown again. */
  readonly token: string;
}

export interface CreatedToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string | null;
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities?: ViewCapabilities;
  readonly samlAuthenticated: boolean;
  /** By a request or by a session that it began; absent if it was not used since this is kept. */
  readonly lastUsed?: string;
  /** The secret; it is never shown again. */
  readonly token: string;
}

export interface Dashboard {
  readonly id: string;
  readonly uid: string;
  readonly version: number;
  /** The document as it was sent. */
  readonly dashboard: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** Members beyond these are kept as they are sent. */
export interface DashboardDocument {
  readonly name: string;
  /** A user’s id, or `X-AXIOM-EVERYONE`, which it is if left out: all users see it. */
  readonly owner?: string;
  readonly description?: string;
  readonly charts: readonly { readonly id: string; readonly type: string; readonly name?: string }[];
  /** Where the charts stand, in twelve columns; those without a place stand below. */
  readonly layout: readonly {
    /** Id of a chart. */
    readonly i: string;
    readonly x?: number;
    readonly y?: number;
    readonly w: number;
    readonly h: number;
  }[];
  /** Seconds between refreshes; 0 for none. */
  readonly refreshTime: number;
  readonly schemaVersion: 2;
  /** `qr-now-1h`, or milliseconds since the epoch as text. */
  readonly timeWindowStart: string;
  /** `qr-now`, or milliseconds since the epoch as text. */
  readonly timeWindowEnd: string;
  /** Key of the dashboard that stays the same when it is replaced. */
  readonly uid?: string;
}

export interface Dataset {
  /** The same as `name`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Who created it. */
  readonly who: string;
  readonly created: string;
  readonly updatedAt: string;
  /** What the dataset holds; those of OpenTelemetry begin with the map field `attributes.custom`. */
  readonly kind: 'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1';
  /** Whether it takes events: the audit log takes none. */
  readonly canWrite: boolean;
  readonly useRetentionPeriod: boolean;
  readonly retentionDays: number;
  readonly mapFields: readonly string[];
  readonly edgeDeployment: string;
}

export type DatasetCapabilities = Readonly<Record<string, {
  readonly ingest?: readonly 'create'[];
  readonly query?: readonly 'read'[];
  readonly starredQueries?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly virtualFields?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly trim?: readonly 'update'[];
  readonly vacuum?: readonly 'update'[];
  readonly data?: readonly 'delete'[];
  readonly share?: readonly ('create' | 'read' | 'delete')[];
}>>;

export interface DatasetField {
  readonly name: string;
  /** One type, or several joined by `|`; empty while no event has the field. */
  readonly type: string;
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

export interface DatasetFields {
  readonly datasetName: string;
  readonly fields: readonly DatasetField[];
}

export interface DatasetInfo {
  readonly name: string;
  readonly numBlocks: number;
  readonly numEvents: number;
  readonly numFields: number;
  readonly inputBytes: number;
  readonly inputBytesHuman: string;
  readonly compressedBytes: number;
  readonly compressedBytesHuman: string;
  readonly minTime?: string;
  readonly maxTime?: string;
  readonly fields: readonly DatasetField[];
  readonly who: string;
  readonly created: string;
}

export interface DatasetV1 {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly who: string;
  readonly created: string;
  readonly region?: string;
  readonly edgeDeployment?: string;
}

export interface DeclaredField {
  /** Full name of the field. */
  readonly name: string;
  /** Types its values may have. */
  readonly types: readonly ('integer' | 'float' | 'string' | 'boolean' | 'datetime' | 'array' | 'map')[];
}

export interface Evaluation {
  /** Of the trace that the run is. */
  readonly id: string;
  readonly name: string;
  /** Where the spans of the run are. */
  readonly dataset: string;
  /** `running`, `completed`, `errored` or `cancelled`. */
  readonly status: string;
  readonly totalCases?: number;
  readonly successCases?: number;
  readonly erroredCases?: number;
  readonly durationMs?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ExportLogsServiceResponse {
  readonly partialSuccess?: {
    /** How many log records were refused, as digits. */
    readonly rejectedLogRecords: string;
    /** Why, and what was left out of those that were stored. */
    readonly errorMessage: string;
  };
}

export interface ExportTraceServiceResponse {
  readonly partialSuccess?: {
    /** How many spans were refused, as digits. */
    readonly rejectedSpans: string;
    /** Why, and what was left out of those that were stored. */
    readonly errorMessage: string;
  };
}

export interface FieldMeta {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
  readonly roles: readonly string[];
  /** Whether it comes from outside; always false. */
  readonly isManaged: boolean;
  readonly id: string;
}

export interface Health {
  /** `incomplete`: it takes events and queries, but stored events are missing. */
  readonly status: 'ok' | 'incomplete' | 'unavailable';
  /** What is wrong or worth knowing; empty if nothing is. */
  readonly reasons: readonly string[];
}

export interface HistoryQuery {
  readonly id: string;
  /** `apl`, `analytics` or `stream`. */
  readonly kind: string;
  readonly created: string;
  readonly dataset: string;
  /** Id of the user whose token ran it. */
  readonly who: string;
  /** The body of the request. */
  readonly query: unknown;
}

export interface IngestRefusal {
  /** As in the header `X-Millrace-Error`; `invalid-events` if others of the same request were stored. */
  readonly code: string;
  /** The latest one. */
  readonly message: string;
  readonly path: string;
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly address: string;
  /** Requests. */
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

export interface IngestStatus {
  /** Events stored: on disk, fsynced, and seen by the next query. */
  readonly ingested: number;
  /** Events refused, each for its own reason. */
  readonly failed: number;
  readonly failures: readonly { readonly timestamp: string; readonly error: string }[];
  /** Length of the decompressed body plus that of the labels. */
  readonly processedBytes: number;
  readonly blocksCreated: number;
  /** Bytes acknowledged that the engine has not taken yet, at most 2^32 − 1. */
  readonly walLength: number;
  /** Only when values were left out of stored events, or kept under another name. */
  readonly messages?: readonly {
    readonly priority: string;
    readonly code: string;
    readonly count: number;
    readonly msg: string;
  }[];
}

export interface LegacyAnswer {
  readonly format: 'legacy';
  readonly status: QueryStatus;
  readonly matches: readonly {
    readonly _time: string;
    readonly _sysTime: string;
    readonly _rowId: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly buckets: {
    readonly series: readonly {
      readonly startTime: string;
      readonly endTime: string;
      readonly groups: readonly QueryGroup[];
    }[];
    readonly totals: readonly QueryGroup[];
  };
  readonly datasetNames: readonly string[];
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>;
  readonly request: {
    readonly startTime: string;
    readonly endTime: string;
    readonly resolution: string;
    readonly aggregations: readonly {
      readonly op: string;
      readonly field: string;
      readonly alias: string;
      readonly argument?: unknown;
    }[];
    readonly groupBy: readonly string[];
    readonly order: readonly { readonly field: string; readonly desc: boolean }[];
    readonly cursor?: string;
    readonly includeCursor?: boolean;
  };
}

export interface License {
  readonly id: string;
  readonly issuer: string;
  readonly issuedTo: string;
  readonly issuedAt: string;
  readonly validFrom: string;
  readonly expiresAt: string | null;
  readonly billingPeriodStart: string;
  readonly billingPeriodEnd: string;
  readonly tier: 'enterprise';
  readonly apiRateLimitPerSecond: number;
  readonly maxAuditWindowSeconds: number;
  readonly maxDatasets: number;
  readonly maxEndpoints: number;
  readonly maxFields: number;
  readonly maxMonitors: number;
  readonly maxQueryWindowSeconds: number;
  readonly maxUsers: number;
  readonly monthlyIngestGb: number;
  readonly monthlyQueryGbHours: number;
  readonly storageAllowanceGB: number;
  readonly withAuths: readonly string[];
  readonly features: Readonly<Record<string, boolean>>;
  readonly defaultEdgeDeployment: string;
  readonly edgeDeployments: readonly string[];
}

export interface LockedSchema {
  /** The only fields that are stored, besides `_time`. */
  readonly fields: readonly DeclaredField[];
}

export interface MapField {
  readonly name: string;
}

export interface Monitor {
  readonly name: string;
  readonly type: 'Threshold' | 'MatchEvent' | 'AnomalyDetection';
  readonly description?: string;
  /** The query, to the byte as it was sent. */
  readonly aplQuery: string;
  readonly operator?: 'Below' | 'BelowOrEqual' | 'Above' | 'AboveOrEqual' | 'AboveOrBelow';
  readonly threshold: number;
  /** The only column to compare; else all numbers. */
  readonly columnName?: string;
  readonly intervalMinutes: number;
  readonly rangeMinutes: number;
  readonly secondDelay: number;
  readonly alertOnNoData: boolean;
  readonly notifyByGroup: boolean;
  readonly notifyEveryRun: boolean;
  readonly skipResolved: boolean;
  readonly resolvable: boolean;
  readonly triggerFromNRuns: number;
  readonly triggerAfterNPositiveResults: number;
  readonly tolerance: number;
  readonly compareDays: number;
  readonly disabled: boolean;
  /** Off until then. */
  readonly disabledUntil?: string;
  readonly notifierIds: readonly string[];
  readonly id: string;
  readonly createdAt: string;
  /** Id of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
}

export interface MonitorChange {
  /** Id of the run that changed it. */
  readonly checkId: string;
  /** Its name then, and the values of the group if groups open by themselves. */
  readonly name: string;
  readonly state: 'open' | 'closed';
  readonly timestamp: string;
}

export interface MonitorDelivery {
  readonly notifierId: string;
  readonly action: 'Open' | 'Closed';
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Attempts that failed. */
  readonly tries: number;
  /** Why the last attempt failed. */
  readonly problem?: string;
}

export interface MonitorPreview {
  readonly runs: readonly {
    readonly time: string;
    readonly start: string;
    readonly end: string;
    readonly state: 'ok' | 'open' | 'nodata' | 'error';
    readonly value?: number;
    /** The smallest number that was compared with a threshold */
    readonly least?: number;
    /** and the largest. */
    readonly greatest?: number;
    readonly error?: string;
    /** Notifications that each notifier would have got. */
    readonly notified: number;
  }[];
  /** When it would have opened and closed. */
  readonly changes: readonly {
    readonly time: string;
    readonly name: string;
    readonly state: 'open' | 'closed';
  }[];
  readonly notifications: readonly {
    readonly time: string;
    readonly action: 'Open' | 'Closed';
    readonly body: string;
  }[];
  /** Whether every run is there; else they were too many, or took too long. */
  readonly complete: boolean;
}

export interface MonitorRun {
  readonly id: string;
  /** The time for which it was made. */
  readonly time: string;
  /** What it looked at, from here */
  readonly start: string;
  /** to here, exclusive. */
  readonly end: string;
  /** How the monitor stood afterwards; `error` if the query failed. */
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  /** The latest value that opens, or else the latest. */
  readonly value?: number;
  /** Events that matched. */
  readonly matched?: number;
  /** Why the query failed; of the server itself, what is wrong. */
  readonly error?: string;
  /** Notifications that were decided. */
  readonly notified: number;
  /** How long it took. */
  readonly milliseconds: number;
}

export interface MonitorRunColumns {
  /** What each column holds. */
  readonly fields: readonly string[];
  readonly data: Readonly<Record<string, readonly (readonly unknown[])[]>>;
}

export interface MonitorRunWithDeliveries {
  readonly id: string;
  /** The time for which it was made. */
  readonly time: string;
  /** What it looked at, from here */
  readonly start: string;
  /** to here, exclusive. */
  readonly end: string;
  /** How the monitor stood afterwards; `error` if the query failed. */
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  /** The latest value that opens, or else the latest. */
  readonly value?: number;
  /** Events that matched. */
  readonly matched?: number;
  /** Why the query failed; of the server itself, what is wrong. */
  readonly error?: string;
  /** Notifications that were decided. */
  readonly notified: number;
  /** How long it took. */
  readonly milliseconds: number;
  /** What became of its notifications. */
  readonly deliveries: readonly MonitorDelivery[];
}

export interface MonitorStatus {
  readonly id: string;
  readonly state: 'ok' | 'open' | 'nodata' | 'error' | 'off';
  /** Why the last run failed. */
  readonly error?: string;
  readonly lastRun?: string;
  /** Missing if it is off. */
  readonly nextRun?: string;
  /** What is open; a monitor that does not open by groups has one without keys. */
  readonly openGroups: readonly {
    readonly keys: readonly string[];
    readonly values: readonly unknown[];
    readonly since?: string;
  }[];
}

export interface Node {
  /** The number that this process was given when it started, and no other ever is; 0 for a server alone. */
  readonly epoch: number;
  /** Of its machine. */
  readonly name: string;
  readonly version: string;
  /** Where it listens, as it knows itself; empty before it does. */
  readonly url: string;
  readonly started: string;
  /** When it was heard of last. */
  readonly seen: string;
  /** Whether that was in the last ten seconds. */
  readonly live: boolean;
}

export interface Notifier {
  readonly name: string;
  /** Exactly one of them. */
  readonly properties: NotifierProperties;
  /** Sends nothing until then; what comes meanwhile is dropped. */
  readonly disabledUntil?: string;
  readonly id: string;
  readonly createdAt: string;
  /** Id of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
}

export interface NotifierPreview {
  /** `Match` is one of a monitor of matching events. */
  readonly event: 'Open' | 'Closed' | 'Match';
  /** Without what follows the host; mail has none. */
  readonly url?: string;
  readonly body?: string;
  /** Why the template makes nothing of it. */
  readonly problem?: string;
}

/** Exactly one of them. */
export interface NotifierProperties {
  readonly email?: { readonly emails: readonly string[] };
  readonly slack?: {
    /** Incoming webhook of Slack. */
    readonly slackUrl: string;
  };
  readonly discord?: {
    /** Id of the channel. */
    readonly discordChannel: string;
    /** Token of a bot. */
    readonly discordToken: string;
  };
  readonly discordWebhook?: {
    /** Webhook of a channel of Discord. */
    readonly discordWebhookUrl: string;
  };
  readonly pagerduty?: {
    /** Of Events API v2. Shown as empty; empty keeps it. */
    readonly routingKey: string;
    /** Not used. */
    readonly token?: string;
  };
  readonly opsgenie?: {
    /** Of the API integration. */
    readonly apiKey: string;
    readonly isEU?: boolean;
  };
  readonly microsoftTeams?: {
    /** Of a workflow that posts to a channel. */
    readonly microsoftTeamsUrl: string;
  };
  readonly webhook?: {
    /** Gets a POST with JSON. */
    readonly url: string;
  };
  readonly customWebhook?: {
    /** Gets a POST. */
    readonly url: string;
    /** Template of the body; the default one if empty. */
    readonly body?: string;
    /** Sent with it. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Likewise. Values are shown as empty; empty keeps one. */
    readonly secretHeaders?: Readonly<Record<string, string>>;
  };
}

export interface NotifierTest {
  /** `later`: another attempt may work. */
  readonly outcome: 'delivered' | 'later' | 'failed';
  /** Why it was not delivered. */
  readonly problem?: string;
  /** How long it took. */
  readonly milliseconds: number;
  /** What was sent, without headers; mail has none. Addresses are shown without what follows the host. */
  readonly request?: { readonly url: string; readonly body: string };
  readonly answer?: {
    readonly status: number;
    /** The beginning. */
    readonly body: string;
  };
}

export interface Org {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: 'enterprise';
  readonly planCreated: string;
  readonly lastUsageSync: string;
  /** Role of the caller. */
  readonly role: string;
  readonly primaryEmail: string;
  readonly license: License;
  readonly paymentStatus: 'na';
  readonly metaCreated: string;
  readonly metaModified: string;
  readonly metaVersion: string;
  readonly defaultEdgeDeployment: string;
}

export interface OrgCapabilities {
  readonly annotations?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly apiTokens?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly auditLog?: readonly 'read'[];
  readonly billing?: readonly ('read' | 'update')[];
  readonly dashboards?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly datasets?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly endpoints?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly flows?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly integrations?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly labels?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly monitors?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly notifiers?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly rbac?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly sharedAccessKeys?: readonly ('read' | 'update')[];
  readonly users?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly views?: readonly ('create' | 'read' | 'update' | 'delete')[];
}

export interface PatchChart {
  /** JSON merge patch (RFC 7396) of the chart: null removes a member, objects merge. */
  readonly chart: Readonly<Record<string, unknown>>;
  /** The version that this is based on; another one is a conflict. */
  readonly version?: number;
  /** Write whatever the present version is. */
  readonly overwrite?: boolean;
  /** What changed, for the history that is kept. */
  readonly message?: string;
}

export interface PersonalToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string | null;
  readonly userId: string;
  readonly created: string;
  /** By a request or by a session that it began; absent if it was not used since this is kept. */
  readonly lastUsed?: string;
}

export interface PreviewMonitor {
  readonly monitor: WriteMonitor;
  /** Time of the first run; a day before the end if left out. */
  readonly startTime?: string;
  /** Time of the last run; now if left out. */
  readonly endTime?: string;
}

export interface PreviewNotifier {
  readonly notifier: WriteNotifier;
  /** The notifier that it would replace: empty secrets are those of this one. */
  readonly id?: string;
}

export interface QueryEstimate {
  /** Events the engine would read at most. */
  readonly rows: number;
  /** Bytes they take uncompressed, all fields together: more than is read of few fields. */
  readonly bytes: number;
  readonly datasets: readonly {
    readonly name: string;
    readonly rows: number;
    readonly bytes: number;
    readonly parts: number;
  }[];
}

export interface QueryGroup {
  readonly id: number;
  readonly group: Readonly<Record<string, unknown>>;
  readonly aggregations: readonly { readonly op: string; readonly value: unknown }[];
}

export interface QueryStatus {
  readonly elapsedTime: number;
  /** Events in the time range, in blocks of 8,192, which is what the engine reads at a time. */
  readonly blocksExamined: number;
  /** Always 0. */
  readonly blocksCached: number;
  /** Blocks that were read for the answer: the engine's own count of rows read, rounded up. */
  readonly blocksMatched: number;
  /** Blocks that an index, a limit or the metadata made it unnecessary to read. */
  readonly blocksSkipped: number;
  /** Events in the time range, of all datasets of the query; for rows that come from no dataset (`print`), their number. */
  readonly rowsExamined: number;
  /** Those that the filters before any aggregation keep, before any limit. */
  readonly rowsMatched: number;
  readonly numGroups: number;
  readonly isPartial: boolean;
  readonly cacheStatus: number;
  /** The beginning of the time range, or the oldest event of the datasets if that is later. */
  readonly minBlockTime: string;
  /** The end of the time range, or the newest event of the datasets if that is earlier. */
  readonly maxBlockTime: string;
  readonly minCursor?: string;
  readonly maxCursor?: string;
  readonly messages: readonly {
    readonly priority: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
    readonly code: string;
    readonly count: number;
    readonly msg: string;
  }[];
}

export interface QueryTable {
  readonly name: '0' | '_totals';
  readonly sources: readonly { readonly name: string }[];
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly agg?: {
      readonly name: 'count' | 'countif' | 'distinct' | 'distinctif' | 'sum' | 'sumif' | 'avg' | 'avgif' | 'min' | 'minif' | 'max' | 'maxif' | 'topk' | 'topkif' | 'percentiles' | 'percentilesif' | 'histogram' | 'histogramif' | 'stdev' | 'stdevif' | 'variance' | 'varianceif' | 'argmin' | 'argmax' | 'rate' | 'makeset' | 'makesetif' | 'makelist' | 'makelistif' | 'computed' | 'spotlight';
      readonly fields?: readonly string[];
      readonly args?: readonly unknown[];
    };
  }[];
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly { readonly name: string }[];
  readonly range: { readonly field: '_time'; readonly start: string; readonly end: string };
  readonly buckets?: { readonly field: string; readonly size: number };
  /** A list of values for each of `fields`. */
  readonly columns: readonly (readonly unknown[])[];
}

export interface RecentRuns {
  /** Id of the monitor. */
  readonly id: string;
  /** Newest first. */
  readonly runs: readonly MonitorRun[];
  readonly changed?: MonitorChange;
}

export interface RegenerateToken {
  /** When the present secret stops working; both work until then. */
  readonly existingTokenExpiresAt: string;
  /** When it stops working, in the future; never if left out. */
  readonly newTokenExpiresAt?: string;
  readonly newToken?: CreateToken;
}

export interface Role {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities: ViewCapabilities;
  readonly id: string;
}

export interface RunningQuery {
  /** Trace id of its request; those that run beside it in a batch have a number behind. */
  readonly id: string;
  readonly kind: 'apl' | 'structured' | 'export' | 'tail';
  /** The APL, or the body of a structured query. */
  readonly query: string;
  readonly state: 'waiting' | 'running';
  readonly started: string;
  readonly elapsedMilliseconds: number;
  readonly tokenId: string;
  readonly userId: string;
  /** By its statements that run at the moment; absent if none runs, or the engine is too busy to tell. */
  readonly rowsRead?: number;
  readonly bytesRead?: number;
  /** How many rows those statements read altogether, as far as it is known by now. */
  readonly rowsTotal?: number;
}

export interface ServerHealth {
  readonly id: string;
  readonly state: 'ok' | 'open' | 'nodata' | 'error' | 'off';
  /** Why the last run failed. */
  readonly error?: string;
  readonly lastRun?: string;
  /** Missing if it is off. */
  readonly nextRun?: string;
  /** What is open; a monitor that does not open by groups has one without keys. */
  readonly openGroups: readonly {
    readonly keys: readonly string[];
    readonly values: readonly unknown[];
    readonly since?: string;
  }[];
  /** Who is told. */
  readonly notifierIds: readonly string[];
  /** Newest first. */
  readonly runs: readonly MonitorRun[];
}

export interface Session {
  readonly id: string;
  /** When it began. */
  readonly created: string;
  /** When it ends, unless it is used again before. */
  readonly expires: string;
  /** The token that it began with; it may do what that may, and ends with it. */
  readonly tokenId: string;
  readonly tokenName: string;
  /** Of requests. */
  readonly lastUsed: string;
  /** Whose personal token it is, or who made the API token. */
  readonly userId: string;
  /** Where the sign-in came from. */
  readonly address: string;
  /** What the browser called itself. */
  readonly userAgent: string;
  /** It is the one that asks. */
  readonly current: boolean;
}

export interface Shard {
  /** Its place among the addresses of the setting, from 1 on. */
  readonly shard: number;
  /** Whether it takes events and answers, as this process sees it. */
  readonly ready: boolean;
  /** Names of the datasets whose events it has. */
  readonly datasets: readonly string[];
}

export interface SignInCode {
  /** Signs one browser in, once. */
  readonly code: string;
  /** When it stops working. */
  readonly expires: string;
  /** What a browser has to open on this server: `/console/#code=…`. */
  readonly path: string;
}

export interface StarredQuery {
  readonly kind: 'apl';
  readonly dataset: string;
  readonly name: string;
  /** As it was saved, with `queryOptions` even if it has none. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly who: string;
  readonly created: string;
  readonly id: string;
}

export interface StartedSession {
  readonly id: string;
  /** When it began. */
  readonly created: string;
  /** When it ends, unless it is used again before. */
  readonly expires: string;
  /** The token that it began with; it may do what that may, and ends with it. */
  readonly tokenId: string;
  readonly tokenName: string;
}

export interface StructuredAnswer {
  readonly format: 'legacy';
  readonly status: QueryStatus;
  readonly matches: readonly {
    readonly _time: string;
    readonly _sysTime: string;
    readonly _rowId: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly buckets: {
    readonly series: readonly {
      readonly startTime: string;
      readonly endTime: string;
      readonly groups: readonly QueryGroup[];
    }[];
    readonly totals: readonly QueryGroup[];
  };
  readonly fieldsMeta?: readonly FieldMeta[];
}

export interface StructuredQuery {
  /** RFC 3339 or relative, as in `now-1h`; inclusive. */
  readonly startTime?: string;
  /** Likewise; inclusive. */
  readonly endTime?: string;
  /** `auto`, a duration as in `1m30s`, or seconds: the width of the buckets. */
  readonly resolution?: unknown;
  readonly aggregations?: readonly {
    readonly op: string;
    /** `*` for `count`. */
    readonly field?: string;
    readonly alias?: string;
    /** How many values of `topk`, which `percentiles`, how many bins, … */
    readonly argument?: unknown;
  }[];
  readonly groupBy?: readonly string[];
  /** A tree of `{op, field, value, caseSensitive, children}`; see the operators below. */
  readonly filter?: unknown;
  readonly order?: readonly { readonly field: string; readonly desc?: boolean }[];
  /** Events or groups; 0 for the default, at most 50000. */
  readonly limit?: number;
  readonly virtualFields?: readonly {
    readonly alias: string;
    /** In APL. */
    readonly expr: string;
  }[];
  readonly project?: readonly { readonly field: string; readonly alias?: string }[];
  /** Row id of an earlier answer to continue from. */
  readonly cursor?: string;
  /** Start with the event of the cursor itself. */
  readonly includeCursor?: boolean;
  /** Of an earlier answer; the same as its cursor. */
  readonly continuationToken?: string;
  /** A position in the log, such as `X-Millrace-Settled` of an earlier answer: what arrived later is left out. */
  readonly asOf?: string;
  readonly queryOptions?: Readonly<Record<string, unknown>>;
}

export interface TabularAnswer {
  readonly format: 'tabular';
  readonly status: QueryStatus;
  readonly datasetNames: readonly string[];
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>;
  readonly tables: readonly QueryTable[];
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string | null;
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities?: ViewCapabilities;
  readonly samlAuthenticated: boolean;
  /** By a request or by a session that it began; absent if it was not used since this is kept. */
  readonly lastUsed?: string;
}

export interface TrimOptions {
  /** Age of the oldest events to keep, more than 0: `30d`, `1h30m` or `1s`. */
  readonly maxDuration: string;
}

export interface TrimResult {
  /** Events removed. */
  readonly numDeleted: number;
}

export interface UpdateAnnotation {
  /** Datasets on whose charts it appears. */
  readonly datasets?: readonly string[];
  /** Kind of event, such as `deploy`. */
  readonly type?: string;
  /** When it happened; now if left out. */
  readonly time?: string;
  /** When it was over. */
  readonly endTime?: string;
  readonly title?: string;
  readonly description?: string;
  /** Where to read more. */
  readonly url?: string;
}

export interface UpdateDataset {
  /** What the dataset is for. */
  readonly description?: string;
  /** Days events are kept; 0 for ever. */
  readonly retentionDays?: number;
  /** Remove events older than `retentionDays`. */
  readonly useRetentionPeriod?: boolean;
}

export interface UpdateDatasetV1 {
  /** What the dataset is for. */
  readonly description?: string;
}

export interface UpdateField {
  readonly name?: string;
  readonly type?: string;
  readonly unit?: string;
  readonly hidden?: boolean;
  readonly description?: string;
}

export interface UpdateOrg {
  readonly name: string;
}

export interface UpdateUser {
  readonly name: string;
}

export interface UpdateUserRole {
  /** Id or name of a role. */
  readonly role: string;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: { readonly id: string; readonly name: string };
}

export interface UserV1 {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The same address, in the form that the client for Rust reads. */
  readonly emails: readonly string[];
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface VacuumResult {
  /** Fields no event has any more, now removed. */
  readonly fields: readonly string[];
}

export interface View {
  readonly name: string;
  readonly aplQuery: string;
  /** Names of datasets. */
  readonly datasets: readonly string[];
  readonly description: string;
  readonly id: string;
}

export type ViewCapabilities = Readonly<Record<string, {
  readonly query?: readonly 'read'[];
  readonly share?: readonly ('create' | 'read' | 'delete')[];
}>>;

export interface VirtualField {
  readonly dataset: string;
  /** Name queries use for it. */
  readonly name: string;
  /** Scalar expression in APL. */
  readonly expression: string;
  readonly description?: string;
  readonly type?: string;
  readonly unit?: string;
  readonly id: string;
}

export interface WriteDashboard {
  /** Members beyond these are kept as they are sent. */
  readonly dashboard: DashboardDocument;
  /** Key of the dashboard that stays the same when it is replaced. */
  readonly uid?: string;
  /** The version that this is based on; another one is a conflict. */
  readonly version?: number;
  /** Write whatever the present version is. */
  readonly overwrite?: boolean;
  /** What changed, for the history that is kept. */
  readonly message?: string;
}

/** Members beyond these are kept as they are sent. */
export interface WriteEvaluation {
  /** Of the trace that the run is. */
  readonly id: string;
  readonly name: string;
  /** Where the spans of the run are. */
  readonly dataset: string;
  /** `running`, `completed`, `errored` or `cancelled`. */
  readonly status: string;
  readonly totalCases?: number;
  readonly successCases?: number;
  readonly erroredCases?: number;
  readonly durationMs?: number;
}

export interface WriteGroup {
  /** Unique name. */
  readonly name: string;
  readonly description?: string;
  /** Ids of the users in the group. */
  readonly members?: readonly string[];
  /** Ids of the roles every member has. */
  readonly roles?: readonly string[];
}

export interface WriteMonitor {
  readonly name: string;
  readonly type: 'Threshold' | 'MatchEvent' | 'AnomalyDetection';
  readonly description?: string;
  /** The query. Either this or `mplQuery`. */
  readonly aplQuery?: string;
  /** Kept, and read back as `aplQuery`; cannot run yet. */
  readonly mplQuery?: string;
  /** How values are compared; `AboveOrBelow` is for `AnomalyDetection`. */
  readonly operator?: '' | 'Below' | 'BelowOrEqual' | 'Above' | 'AboveOrEqual' | 'AboveOrBelow';
  readonly threshold?: number;
  /** The only column to compare; else all numbers. */
  readonly columnName?: string;
  /** Minutes from run to run; 0 is 1. `MatchEvent` runs every minute. */
  readonly intervalMinutes?: number;
  /** Minutes that each run looks at; 0 is 1. */
  readonly rangeMinutes?: number;
  /** Seconds a run looks back, for events that arrive late. */
  readonly secondDelay?: number;
  /** Open when there is nothing to compare. */
  readonly alertOnNoData?: boolean;
  /** Each group opens and closes by itself. */
  readonly notifyByGroup?: boolean;
  /** Notify again on each run while it is open. */
  readonly notifyEveryRun?: boolean;
  /** Send nothing when it closes. */
  readonly skipResolved?: boolean;
  /** Kept, and without effect. */
  readonly resolvable?: boolean;
  /** The last runs that are looked at to open; 0 is 1. */
  readonly triggerFromNRuns?: number;
  /** How many of them must have found something; 0 is all. */
  readonly triggerAfterNPositiveResults?: number;
  /** Times the usual variation; 0 is 3. */
  readonly tolerance?: number;
  /** Anomalies must also differ from the same time so many days before. */
  readonly compareDays?: number;
  /** Off. */
  readonly disabled?: boolean;
  /** Off until then. */
  readonly disabledUntil?: string;
  /** Who is told. */
  readonly notifierIds?: readonly string[];
}

export interface WriteNotifier {
  readonly name: string;
  /** Exactly one of them. */
  readonly properties: NotifierProperties;
  /** Sends nothing until then; what comes meanwhile is dropped. */
  readonly disabledUntil?: string;
}

export interface WriteRole {
  /** Unique name. */
  readonly name: string;
  readonly description?: string;
  /** Ids of users who have the role besides their own. */
  readonly members?: readonly string[];
  readonly datasetCapabilities?: DatasetCapabilities;
  readonly orgCapabilities?: OrgCapabilities;
  readonly viewCapabilities?: ViewCapabilities;
}

export interface WriteStarredQuery {
  readonly kind?: 'apl';
  readonly dataset?: string;
  readonly name: string;
  /** The request as it is sent to the query endpoint; `apl` is required. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Kept and given back. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Whose it is: `team`, or your own user id. If left out, a new one is your own and a replaced one stays whose it is. */
  readonly who?: string;
}

export interface WriteView {
  /** Unique name queries use for it. */
  readonly name: string;
  readonly aplQuery: string;
  /** Names of datasets. */
  readonly datasets?: readonly string[];
  readonly description?: string;
}

export interface WriteVirtualField {
  readonly dataset: string;
  /** Name queries use for it. */
  readonly name: string;
  /** Scalar expression in APL. */
  readonly expression: string;
  readonly description?: string;
  readonly type?: string;
  readonly unit?: string;
}

export interface WrittenDashboard {
  readonly status: 'created' | 'updated';
  readonly dashboard: Dashboard;
  /** The version was not compared. */
  readonly overwritten?: boolean;
}

/** What each operation takes and gives. */
export interface Operations {
  /** Send events */
  readonly ingest: {
    readonly request: {
      readonly params: { readonly dataset: string };
      readonly query?: {
        /** Field of the events that supplies `_time`. */
        readonly 'timestamp-field'?: string;
        /** Go reference layout; detected if left out. */
        readonly 'timestamp-format'?: string;
        /** Default `,`. Ignored unless the body is CSV. */
        readonly 'csv-delimiter'?: string;
      };
      readonly headers?: {
        /** `text/csv`, or a type of JSON such as `application/json` or `application/x-ndjson`. JSON if left out, or if it is a default of common clients. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
        /** Names of the columns; the first line of the CSV is then data. */
        readonly 'x-axiom-csv-fields'?: string;
        /** A request sent again with the same key, within the time keys are remembered, is stored once. */
        readonly 'idempotency-key'?: string;
        /** JSON object merged into every event. */
        readonly 'x-axiom-event-labels'?: string;
      };
      readonly body: Uint8Array | string;
    };
    readonly answer: IngestStatus;
  };
  /** Send events (edge path) */
  readonly ingestEdge: {
    readonly request: {
      readonly params: { readonly dataset: string };
      readonly query?: {
        /** Field of the events that supplies `_time`. */
        readonly 'timestamp-field'?: string;
        /** Go reference layout; detected if left out. */
        readonly 'timestamp-format'?: string;
        /** Default `,`. Ignored unless the body is CSV. */
        readonly 'csv-delimiter'?: string;
      };
      readonly headers?: {
        /** `text/csv`, or a type of JSON such as `application/json` or `application/x-ndjson`. JSON if left out, or if it is a default of common clients. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
        /** Names of the columns; the first line of the CSV is then data. */
        readonly 'x-axiom-csv-fields'?: string;
        /** A request sent again with the same key, within the time keys are remembered, is stored once. */
        readonly 'idempotency-key'?: string;
        /** JSON object merged into every event. */
        readonly 'x-axiom-event-labels'?: string;
      };
      readonly body: Uint8Array | string;
    };
    readonly answer: IngestStatus;
  };
  /** Send spans as OpenTelemetry does */
  readonly ingestTraces: {
    readonly request: {
      readonly headers: {
        /** The dataset the records go to. */
        readonly 'x-axiom-dataset': string;
        /** `application/x-protobuf` or `application/json`. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
      };
      readonly body: Uint8Array | string;
    };
    readonly answer: ExportTraceServiceResponse;
  };
  /** Send log records as OpenTelemetry does */
  readonly ingestLogs: {
    readonly request: {
      readonly headers: {
        /** The dataset the records go to. */
        readonly 'x-axiom-dataset': string;
        /** `application/x-protobuf` or `application/json`. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
      };
      readonly body: Uint8Array | string;
    };
    readonly answer: ExportLogsServiceResponse;
  };
  /** Run an APL query */
  readonly queryApl: {
    readonly request: {
      readonly query?: {
        /** `tabular`, `tabular-rows` (one JSON array a line and event) or `legacy` (the default). */
        readonly format?: string;
        /** Do not answer from the result cache. */
        readonly nocache?: boolean;
        readonly cursor?: string;
        /** Keep the query in the history; the answer names it in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'apl' | 'analytics' | 'stream';
        readonly dataset_name?: string;
        readonly id?: string;
        /** Wait so long for the first matching event, as in `30s`; or `auto`. */
        readonly 'streaming-duration'?: string;
      };
      readonly body: AplRequest;
    };
    readonly answer: LegacyAnswer | TabularAnswer;
  };
  /** Run an APL query (edge path) */
  readonly queryAplEdge: {
    readonly request: {
      readonly query?: {
        /** `tabular`, `tabular-rows` (one JSON array a line and event) or `legacy` (the default). */
        readonly format?: string;
        /** Do not answer from the result cache. */
        readonly nocache?: boolean;
        readonly cursor?: string;
        /** Keep the query in the history; the answer names it in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'apl' | 'analytics' | 'stream';
        readonly dataset_name?: string;
        readonly id?: string;
        /** Wait so long for the first matching event, as in `30s`; or `auto`. */
        readonly 'streaming-duration'?: string;
      };
      readonly body: AplRequest;
    };
    readonly answer: LegacyAnswer | TabularAnswer;
  };
  /** Run an APL query (path of axiom-fs) */
  readonly queryAplV2: {
    readonly request: {
      readonly query?: {
        /** `tabular`, `tabular-rows` (one JSON array a line and event) or `legacy` (the default). */
        readonly format?: string;
        /** Do not answer from the result cache. */
        readonly nocache?: boolean;
        readonly cursor?: string;
        /** Keep the query in the history; the answer names it in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'apl' | 'analytics' | 'stream';
        readonly dataset_name?: string;
        readonly id?: string;
        /** Wait so long for the first matching event, as in `30s`; or `auto`. */
        readonly 'streaming-duration'?: string;
      };
      readonly body: AplRequest;
    };
    readonly answer: LegacyAnswer | TabularAnswer;
  };
  /** Run a structured query */
  readonly queryDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset or view. */
        readonly name: string;
      };
      readonly query?: {
        /** Do not answer from the result cache. */
        readonly nocache?: boolean;
        /** Keep the query in the history; the answer names it in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'analytics' | 'stream';
        /** Wait so long for the first matching event, as in `30s`; or `auto`. */
        readonly 'streaming-duration'?: string;
      };
      readonly body: StructuredQuery;
    };
    readonly answer: StructuredAnswer;
  };
  /** Run several queries */
  readonly queryBatch: {
    readonly request: {
      readonly query?: {
        /** Queries of the batch that run at once. */
        readonly maxConcurrency?: number;
        /** Do not answer from the result cache. */
        readonly nocache?: boolean;
      };
      readonly body: readonly {
        /** Unique in the batch. */
        readonly queryId: string;
        readonly aplRequest?: AplRequest;
        /** Queries of metrics are not supported; answered as an error. */
        readonly mplRequest?: unknown;
      }[];
    };
    readonly answer: Uint8Array;
  };
  /** Export everything a query matches */
  readonly exportByUrl: {
    readonly request: {
      readonly query: {
        /** The query. */
        readonly apl: string;
        /** RFC 3339 or relative, as in `now-1h`; inclusive. */
        readonly startTime?: string;
        /** Likewise; inclusive. */
        readonly endTime?: string;
        /** Row id of an earlier answer to continue from. */
        readonly cursor?: string;
        /** Start with the event of the cursor itself. */
        readonly includeCursor?: boolean;
        /** Adds the column `_cursor`. */
        readonly includeCursorField?: boolean;
        /** A position in the log, such as `X-Millrace-Settled` of an earlier answer: what arrived later is left out, so that the answer is what it was then but for what was removed. */
        readonly asOf?: string;
        /** NDJSON if left out. */
        readonly format?: 'ndjson' | 'csv' | 'parquet';
      };
    };
    readonly answer: Uint8Array;
  };
  /** Export everything a query matches */
  readonly export: {
    readonly request: {
      readonly body: {
        /** The query. */
        readonly apl: string;
        /** RFC 3339 or relative, as in `now-1h`; inclusive. */
        readonly startTime?: string;
        /** Likewise; inclusive. */
        readonly endTime?: string;
        /** Row id of an earlier answer to continue from. */
        readonly cursor?: string;
        /** Start with the event of the cursor itself. */
        readonly includeCursor?: boolean;
        /** Adds the column `_cursor`. */
        readonly includeCursorField?: boolean;
        readonly variables?: Readonly<Record<string, unknown>>;
        /** A position in the log, such as `X-Millrace-Settled` of an earlier answer: what arrived later is left out, so that the answer is what it was then but for what was removed. */
        readonly asOf?: string;
        /** NDJSON if left out. */
        readonly format?: 'ndjson' | 'csv' | 'parquet';
      };
    };
    readonly answer: Uint8Array;
  };
  /** What a query would read */
  readonly estimateQuery: {
    readonly request: {
      readonly body: AplRequest;
    };
    readonly answer: QueryEstimate;
  };
  /** Queries that wait or run */
  readonly listQueries: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly RunningQuery[];
  };
  /** Stop a query */
  readonly stopQuery: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Queries that were kept with `saveAsKind` */
  readonly listHistory: {
    readonly request: {
      readonly query?: {
        /** Most queries to return. */
        readonly limit?: number;
        /** Id of a query; those that ran before it are returned. */
        readonly before?: string;
        readonly kind?: 'apl' | 'analytics' | 'stream';
        readonly dataset?: string;
        /** A text that the query has to contain, in any case. */
        readonly qs?: string;
      };
    };
    readonly answer: readonly HistoryQuery[];
  };
  /** A query that was kept with `saveAsKind` */
  readonly getHistoryQuery: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: HistoryQuery;
  };
  /** Follow events in the order of their arrival */
  readonly tail: {
    readonly request: {
      readonly body: {
        /** One dataset, and operators that look at one event at a time. */
        readonly apl: string;
        /** The last position or cursor that you have; everything behind it is sent. From now on if left out. */
        readonly after?: string;
      };
    };
    readonly answer: Uint8Array;
  };
  /** How far a batch of events has come */
  readonly getReceipt: {
    readonly request: {
      readonly params: { readonly position: string };
    };
    readonly answer: {
      /** As `X-Millrace-Position` named it. */
      readonly position: string;
      /** `logged`: on disk, in the log. `stored`: in the engine too. */
      readonly state: 'logged' | 'stored';
    };
  };
  /** Recount the log against what is stored */
  readonly verify: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      /** Batches in the log. */
      readonly batches: number;
      /** Their events. */
      readonly events: number;
      /** Batches whose events were deleted on purpose, or whose dataset is gone. */
      readonly skipped: number;
      /** Batches the engine does not have exactly once; empty if all is well. */
      readonly wrong: readonly {
        readonly position: string;
        readonly datasetId: number;
        readonly events: number;
        readonly rows: number;
      }[];
      /** Positions of batches the engine refuses, which are not among the wrong ones. They are kept and tried again at each start; empty if all is well. */
      readonly refused: readonly string[];
      /** Events that were stored and are not there any more, though nobody deleted them: their files are damaged or gone. Empty if all is well. */
      readonly missing: readonly {
        readonly datasetId: number;
        /** `20261120` for a day, `20261100` for a month, `20260000` for a year. */
        readonly partition: number;
        readonly events: number;
        /** When it was noticed. */
        readonly since: string;
      }[];
      /** Parts of tables that the engine could not use and has put aside. What the log still had of them is stored again. */
      readonly aside: readonly string[];
    };
  };
  /** Do without the events that are missing */
  readonly acceptMissing: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: undefined;
  };
  /** Delete the events a query matches */
  readonly deleteByQuery: {
    readonly request: {
      readonly body: {
        /** A dataset followed by `where` and `search` only. */
        readonly apl: string;
        /** RFC 3339 or relative, as in `now-1h`; inclusive. */
        readonly startTime?: string;
        /** Likewise; inclusive. */
        readonly endTime?: string;
        /** Without it nothing is deleted, only counted. */
        readonly commit?: boolean;
        readonly variables?: Readonly<Record<string, unknown>>;
      };
    };
    readonly answer: {
      readonly dryRun: boolean;
      readonly rowsMatched: number;
      readonly rowsDeleted: number;
      readonly firstMatchedEvent: string;
      readonly lastMatchedEvent: string;
      readonly blocksMatched: number;
    };
  };
  /** Begin a backup */
  readonly beginBackup: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      /** Position of the log the backup is cut at. */
      readonly position: string;
      /** Name it when reading the metadata: refused batches may be tried again then. */
      readonly pause: string;
      readonly datasets: readonly {
        readonly id: number;
        readonly name: string;
        readonly columns?: readonly {
          /** Field and type. */
          readonly name: string;
          /** Its strings repeat. */
          readonly dictionary?: boolean;
          /** It is compressed for space rather than speed. */
          readonly squeezed?: boolean;
          /** Its values identify something and have an index. */
          readonly identity?: boolean;
        }[];
      }[];
      /** Positions of acknowledged batches the engine refuses. The metadata has them as they came, so the backup has them too, and a server over a restored directory tries them again at each start. If the metadata that is read lacks one of them, it was deleted meanwhile, or has gone in, perhaps after its dataset was read: begin again. */
      readonly refused: readonly string[];
    };
  };
  /** Events of a dataset up to a position, as Parquet */
  readonly backupDataset: {
    readonly request: {
      readonly params: { readonly id: number };
      readonly query: {
        /** Position to cut at. */
        readonly upTo: string;
      };
    };
    readonly answer: Uint8Array;
  };
  /** The metadata, as a SQLite file */
  readonly backupMetadata: {
    readonly request: {
      readonly query?: {
        /** As the answer to `POST /v1/backup` names it. It may be named again, and ends no other; one that nobody names ends after half a day. */
        readonly pause?: string;
      };
    };
    readonly answer: Uint8Array;
  };
  /** List datasets */
  readonly listDatasets: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Dataset[];
  };
  /** Create a dataset */
  readonly createDataset: {
    readonly request: {
      readonly query?: {
        /** Ignored. */
        readonly referrer?: string;
        /** Where it is to be; on the emptiest if left out. */
        readonly shard?: number;
      };
      readonly body: CreateDataset;
    };
    readonly answer: Dataset;
  };
  /** Get a dataset */
  readonly getDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: Dataset;
  };
  /** Change description and retention of a dataset */
  readonly updateDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
      readonly body: UpdateDataset;
    };
    readonly answer: Dataset;
  };
  /** Delete a dataset and all its events */
  readonly deleteDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Remove the older events of a dataset */
  readonly trimDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
      readonly body: TrimOptions;
    };
    readonly answer: undefined;
  };
  /** Remove fields that no event has any more */
  readonly vacuumDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: VacuumResult;
  };
  /** List datasets */
  readonly listDatasetsV1: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly DatasetV1[];
  };
  /** Create a dataset */
  readonly createDatasetV1: {
    readonly request: {
      readonly body: CreateDatasetV1;
    };
    readonly answer: DatasetV1;
  };
  /** Fields of all datasets */
  readonly listFieldsV1: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly DatasetFields[];
  };
  /** Get a dataset */
  readonly getDatasetV1: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly name: string;
      };
    };
    readonly answer: DatasetV1;
  };
  /** Change the description of a dataset */
  readonly updateDatasetV1: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly name: string;
      };
      readonly body: UpdateDatasetV1;
    };
    readonly answer: DatasetV1;
  };
  /** Delete a dataset and all its events */
  readonly deleteDatasetV1: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly name: string;
      };
    };
    readonly answer: undefined;
  };
  /** Remove the older events of a dataset */
  readonly trimDatasetV1: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly name: string;
      };
      readonly body: TrimOptions;
    };
    readonly answer: TrimResult;
  };
  /** Size, time range and fields of a dataset */
  readonly getDatasetInfoV1: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly name: string;
      };
    };
    readonly answer: DatasetInfo;
  };
  /** Fields of a dataset */
  readonly listFields: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: readonly DatasetField[];
  };
  /** One field of a dataset */
  readonly getField: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
        /** Full name of the field. */
        readonly field: string;
      };
    };
    readonly answer: DatasetField;
  };
  /** Set unit, description and visibility of a field */
  readonly updateField: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
        /** Full name of the field. */
        readonly field: string;
      };
      readonly body: UpdateField;
    };
    readonly answer: DatasetField;
  };
  /** Map fields of a dataset */
  readonly listMapFields: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: readonly string[];
  };
  /** Replace the map fields of a dataset */
  readonly updateMapFields: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
      readonly body: readonly string[];
    };
    readonly answer: readonly string[];
  };
  /** Declare a map field */
  readonly createMapField: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
      readonly body: MapField;
    };
    readonly answer: MapField;
  };
  /** Remove the declaration of a map field */
  readonly deleteMapField: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
        /** Full name of the map field. */
        readonly name: string;
      };
    };
    readonly answer: undefined;
  };
  /** The locked schema of a dataset */
  readonly getSchema: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: LockedSchema;
  };
  /** Lock the schema of a dataset */
  readonly lockSchema: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
      readonly body: LockedSchema;
    };
    readonly answer: LockedSchema;
  };
  /** Unlock the schema of a dataset */
  readonly unlockSchema: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List API tokens */
  readonly listTokens: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Token[];
  };
  /** Create an API token */
  readonly createToken: {
    readonly request: {
      readonly body: CreateToken;
    };
    readonly answer: CreatedToken;
  };
  /** Get an API token */
  readonly getToken: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Token;
  };
  /** Delete an API token */
  readonly deleteToken: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Give an API token a successor */
  readonly regenerateToken: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: RegenerateToken;
    };
    readonly answer: CreatedToken;
  };
  /** List personal tokens */
  readonly listPersonalTokens: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly PersonalToken[];
  };
  /** Create a personal token */
  readonly createPersonalToken: {
    readonly request: {
      readonly body: CreatePersonalToken;
    };
    readonly answer: CreatedPersonalToken;
  };
  /** Delete a personal token */
  readonly deletePersonalToken: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** The user a token belongs to */
  readonly getCurrentUser: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: User;
  };
  /** Change your own name */
  readonly updateCurrentUser: {
    readonly request: {
      readonly body: UpdateUser;
    };
    readonly answer: User;
  };
  /** The user a token belongs to (version 1) */
  readonly getCurrentUserV1: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: UserV1;
  };
  /** List users */
  readonly listUsers: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly User[];
  };
  /** Create a user */
  readonly createUser: {
    readonly request: {
      readonly body: CreateUser;
    };
    readonly answer: User;
  };
  /** Get a user */
  readonly getUser: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: User;
  };
  /** Change the name of a user */
  readonly updateUser: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: UpdateUser;
    };
    readonly answer: User;
  };
  /** Change the role of a user */
  readonly updateUserRole: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: UpdateUserRole;
    };
    readonly answer: User;
  };
  /** Remove a user and the user’s personal tokens */
  readonly deleteUser: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List roles */
  readonly listRoles: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Role[];
  };
  /** Create a role */
  readonly createRole: {
    readonly request: {
      readonly body: WriteRole;
    };
    readonly answer: Role;
  };
  /** Get a role */
  readonly getRole: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Role;
  };
  /** Replace a role */
  readonly updateRole: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteRole;
    };
    readonly answer: Role;
  };
  /** Delete a role */
  readonly deleteRole: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List groups */
  readonly listGroups: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Group[];
  };
  /** Create a group */
  readonly createGroup: {
    readonly request: {
      readonly body: WriteGroup;
    };
    readonly answer: Group;
  };
  /** Get a group */
  readonly getGroup: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Group;
  };
  /** Replace a group */
  readonly updateGroup: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteGroup;
    };
    readonly answer: Group;
  };
  /** Delete a group */
  readonly deleteGroup: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List organisations */
  readonly listOrgs: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Org[];
  };
  /** Get an organisation */
  readonly getOrg: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Org;
  };
  /** Rename the organisation */
  readonly updateOrg: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: UpdateOrg;
    };
    readonly answer: Org;
  };
  /** List annotations */
  readonly listAnnotations: {
    readonly request: {
      readonly query?: {
        /** Only those about one of these datasets. */
        readonly datasets?: readonly string[];
        /** Only those that had not ended before this time. */
        readonly start?: string;
        /** Only those that begin before this time. */
        readonly end?: string;
      };
    };
    readonly answer: readonly Annotation[];
  };
  /** Create an annotation */
  readonly createAnnotation: {
    readonly request: {
      readonly body: CreateAnnotation;
    };
    readonly answer: Annotation;
  };
  /** Get an annotation */
  readonly getAnnotation: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Annotation;
  };
  /** Change an annotation */
  readonly updateAnnotation: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: UpdateAnnotation;
    };
    readonly answer: Annotation;
  };
  /** Delete an annotation */
  readonly deleteAnnotation: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Virtual fields of a dataset */
  readonly listVirtualFields: {
    readonly request: {
      readonly query: {
        /** Name of the dataset. */
        readonly dataset: string;
      };
    };
    readonly answer: readonly VirtualField[];
  };
  /** Create a virtual field */
  readonly createVirtualField: {
    readonly request: {
      readonly body: WriteVirtualField;
    };
    readonly answer: VirtualField;
  };
  /** Get a virtual field */
  readonly getVirtualField: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: VirtualField;
  };
  /** Replace a virtual field */
  readonly updateVirtualField: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteVirtualField;
    };
    readonly answer: VirtualField;
  };
  /** Delete a virtual field */
  readonly deleteVirtualField: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List views */
  readonly listViews: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly View[];
  };
  /** Create a view */
  readonly createView: {
    readonly request: {
      readonly body: WriteView;
    };
    readonly answer: View;
  };
  /** Get a view */
  readonly getView: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: View;
  };
  /** Replace a view */
  readonly updateView: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteView;
    };
    readonly answer: View;
  };
  /** Delete a view */
  readonly deleteView: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List saved queries */
  readonly listStarredQueries: {
    readonly request: {
      readonly query?: {
        /** Most elements to return. */
        readonly limit?: number;
        /** Elements to skip. */
        readonly offset?: number;
        /** Only those about this dataset. */
        readonly dataset?: string;
        /** Whose queries: your own if left out; those of a user id; `team` for those of everybody else; `all`. */
        readonly who?: string;
        /** Only those with this text in the name or the query. */
        readonly qs?: string;
      };
    };
    readonly answer: readonly StarredQuery[];
  };
  /** Save a query */
  readonly createStarredQuery: {
    readonly request: {
      readonly body: WriteStarredQuery;
    };
    readonly answer: StarredQuery;
  };
  /** Get a saved query */
  readonly getStarredQuery: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: StarredQuery;
  };
  /** Replace a saved query */
  readonly updateStarredQuery: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteStarredQuery;
    };
    readonly answer: StarredQuery;
  };
  /** Delete a saved query */
  readonly deleteStarredQuery: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List dashboards that come with integrations */
  readonly listIntegrationDashboards: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Dashboard[];
  };
  /** List dashboards */
  readonly listDashboards: {
    readonly request: {
      readonly query?: {
        /** Most elements to return. */
        readonly limit?: number;
        /** Elements to skip. */
        readonly offset?: number;
      };
    };
    readonly answer: readonly Dashboard[];
  };
  /** Create a dashboard */
  readonly createDashboard: {
    readonly request: {
      readonly body: WriteDashboard;
    };
    readonly answer: WrittenDashboard;
  };
  /** Get a dashboard */
  readonly getDashboard: {
    readonly request: {
      readonly params: {
        /** The dashboard’s `uid`. */
        readonly uid: string;
      };
    };
    readonly answer: Dashboard;
  };
  /** Replace a dashboard */
  readonly replaceDashboard: {
    readonly request: {
      readonly params: {
        /** The dashboard’s `uid`. */
        readonly uid: string;
      };
      readonly body: WriteDashboard;
    };
    readonly answer: WrittenDashboard;
  };
  /** Change one chart of a dashboard */
  readonly patchDashboardChart: {
    readonly request: {
      readonly params: {
        /** The dashboard’s `uid`. */
        readonly uid: string;
        /** The chart’s `id`. */
        readonly chartId: string;
      };
      readonly body: PatchChart;
    };
    readonly answer: WrittenDashboard;
  };
  /** Delete a dashboard */
  readonly deleteDashboard: {
    readonly request: {
      readonly params: {
        /** The dashboard’s `uid`. */
        readonly uid: string;
      };
    };
    readonly answer: undefined;
  };
  /** List runs of evaluations */
  readonly listEvaluations: {
    readonly request: {
      readonly query?: {
        /** Most elements to return. */
        readonly limit?: number;
        /** Elements to skip. */
        readonly offset?: number;
        /** Only those of this dataset. */
        readonly dataset?: string;
      };
    };
    readonly answer: readonly Evaluation[];
  };
  /** Report that a run of an evaluation has begun */
  readonly createEvaluation: {
    readonly request: {
      readonly body: WriteEvaluation;
    };
    readonly answer: Evaluation;
  };
  /** Get a run of an evaluation */
  readonly getEvaluation: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Evaluation;
  };
  /** Report how a run of an evaluation went */
  readonly updateEvaluation: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: ChangeEvaluation;
    };
    readonly answer: Evaluation;
  };
  /** Delete a run of an evaluation */
  readonly deleteEvaluation: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List monitors */
  readonly listMonitors: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Monitor[];
  };
  /** Create a monitor */
  readonly createMonitor: {
    readonly request: {
      readonly body: WriteMonitor;
    };
    readonly answer: Monitor;
  };
  /** Get a monitor */
  readonly getMonitor: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Monitor;
  };
  /** Replace a monitor */
  readonly updateMonitor: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteMonitor;
    };
    readonly answer: Monitor;
  };
  /** Delete a monitor */
  readonly deleteMonitor: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** When a monitor opened and closed */
  readonly getMonitorHistory: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly query: {
        /** Inclusive. */
        readonly startTime: string;
        /** Inclusive. */
        readonly endTime: string;
      };
    };
    readonly answer: readonly MonitorChange[];
  };
  /** The last runs of several monitors, in columns */
  readonly listMonitorHistory: {
    readonly request: {
      readonly query: {
        /** Ids with commas between them. */
        readonly monitorIds: string;
        /** Runs from here; also `now-1h`. */
        readonly startTime?: string;
        /** Runs to here, inclusive; now if it is left out. */
        readonly endTime?: string;
      };
    };
    readonly answer: MonitorRunColumns;
  };
  /** The last runs of a monitor */
  readonly listMonitorRuns: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: readonly MonitorRunWithDeliveries[];
  };
  /** What a monitor would have told */
  readonly previewMonitor: {
    readonly request: {
      readonly body: PreviewMonitor;
    };
    readonly answer: MonitorPreview;
  };
  /** How all monitors stand */
  readonly listMonitorStatus: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly MonitorStatus[];
  };
  /** How the server itself stands */
  readonly getServerHealth: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: ServerHealth;
  };
  /** The last runs of all monitors */
  readonly listRecentRuns: {
    readonly request: {
      readonly query?: {
        /** Most runs of each monitor. */
        readonly last?: number;
      };
    };
    readonly answer: readonly RecentRuns[];
  };
  /** List notifiers */
  readonly listNotifiers: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Notifier[];
  };
  /** Create a notifier */
  readonly createNotifier: {
    readonly request: {
      readonly body: WriteNotifier;
    };
    readonly answer: Notifier;
  };
  /** Get a notifier */
  readonly getNotifier: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Notifier;
  };
  /** Replace a notifier */
  readonly updateNotifier: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
      readonly body: WriteNotifier;
    };
    readonly answer: Notifier;
  };
  /** Delete a notifier */
  readonly deleteNotifier: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Send a notification as a test */
  readonly testNotifier: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: NotifierTest;
  };
  /** What a notifier would send */
  readonly previewNotifier: {
    readonly request: {
      readonly body: PreviewNotifier;
    };
    readonly answer: readonly NotifierPreview[];
  };
  /** What was refused of events in the last hour */
  readonly listIngestRefusals: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly IngestRefusal[];
  };
  /** Whether the server can take events and queries */
  readonly getHealth: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: Health;
  };
  /** Figures for Prometheus */
  readonly getMetrics: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: Uint8Array;
  };
  /** The processes that share the events */
  readonly listNodes: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Node[];
  };
  /** The shards, and which datasets are on each */
  readonly listShards: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Shard[];
  };
  /** What there is to query, and what you may do */
  readonly getCatalogue: {
    readonly request: {
      readonly headers?: { readonly 'if-none-match'?: string };
    };
    readonly answer: CatalogueAnswer;
  };
  /** Sign a browser in to the console */
  readonly createSession: {
    readonly request: {
      readonly headers?: { readonly authorization?: string; readonly 'user-agent'?: string };
    };
    readonly answer: StartedSession;
  };
  /** List the browsers that are signed in */
  readonly listSessions: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Session[];
  };
  /** Sign a browser out */
  readonly endSession: {
    readonly request: {
      readonly params: {
        /** Id of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Make a link that signs a browser in */
  readonly createSignInCode: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: SignInCode;
  };
  /** This interface as an OpenAPI 3.1 document */
  readonly getOpenApi: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: Readonly<Record<string, unknown>>;
  };
}

/**
 * How each operation is sent, what form body and answer have, and the statuses that are answers and
 * not errors.
 */
export const routes = {
  ingest: { method: 'POST', path: '/v1/datasets/{dataset}/ingest', body: 'bytes', statuses: [200], answer: 'json' },
  ingestEdge: { method: 'POST', path: '/v1/ingest/{dataset}', body: 'bytes', statuses: [200], answer: 'json' },
  ingestTraces: { method: 'POST', path: '/v1/traces', body: 'bytes', statuses: [200], answer: 'json' },
  ingestLogs: { method: 'POST', path: '/v1/logs', body: 'bytes', statuses: [200], answer: 'json' },
  queryApl: { method: 'POST', path: '/v1/datasets/_apl', body: 'json', statuses: [200], answer: 'json' },
  queryAplEdge: { method: 'POST', path: '/v1/query/_apl', body: 'json', statuses: [200], answer: 'json' },
  queryAplV2: { method: 'POST', path: '/v2/datasets/_apl', body: 'json', statuses: [200], answer: 'json' },
  queryDataset: { method: 'POST', path: '/v1/datasets/{name}/query', body: 'json', statuses: [200], answer: 'json' },
  queryBatch: { method: 'POST', path: '/v1/query/batch', body: 'json', statuses: [200], answer: 'bytes' },
  exportByUrl: { method: 'GET', path: '/v1/export', body: 'none', statuses: [200], answer: 'bytes' },
  export: { method: 'POST', path: '/v1/export', body: 'json', statuses: [200], answer: 'bytes' },
  estimateQuery: { method: 'POST', path: '/v1/query/estimate', body: 'json', statuses: [200], answer: 'json' },
  listQueries: { method: 'GET', path: '/v1/queries', body: 'none', statuses: [200], answer: 'json' },
  stopQuery: { method: 'DELETE', path: '/v1/queries/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listHistory: { method: 'GET', path: '/v1/datasets/_history', body: 'none', statuses: [200], answer: 'json' },
  getHistoryQuery: { method: 'GET', path: '/v1/datasets/_history/{id}', body: 'none', statuses: [200], answer: 'json' },
  tail: { method: 'POST', path: '/v1/tail', body: 'json', statuses: [200], answer: 'bytes' },
  getReceipt: { method: 'GET', path: '/v1/receipts/{position}', body: 'none', statuses: [200], answer: 'json' },
  verify: { method: 'POST', path: '/v1/verify', body: 'none', statuses: [200], answer: 'json' },
  acceptMissing: { method: 'POST', path: '/v1/verify/accept', body: 'none', statuses: [204], answer: 'empty' },
  deleteByQuery: { method: 'POST', path: '/v2/datasets/_apl/delete', body: 'json', statuses: [200], answer: 'json' },
  beginBackup: { method: 'POST', path: '/v1/backup', body: 'none', statuses: [200], answer: 'json' },
  backupDataset: { method: 'GET', path: '/v1/backup/datasets/{id}', body: 'none', statuses: [200], answer: 'bytes' },
  backupMetadata: { method: 'GET', path: '/v1/backup/metadata', body: 'none', statuses: [200], answer: 'bytes' },
  listDatasets: { method: 'GET', path: '/v2/datasets', body: 'none', statuses: [200], answer: 'json' },
  createDataset: { method: 'POST', path: '/v2/datasets', body: 'json', statuses: [200], answer: 'json' },
  getDataset: { method: 'GET', path: '/v2/datasets/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateDataset: { method: 'PUT', path: '/v2/datasets/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteDataset: { method: 'DELETE', path: '/v2/datasets/{id}', body: 'none', statuses: [204], answer: 'empty' },
  trimDataset: { method: 'POST', path: '/v2/datasets/{id}/trim', body: 'json', statuses: [204], answer: 'empty' },
  vacuumDataset: { method: 'POST', path: '/v2/datasets/{id}/vacuum', body: 'none', statuses: [200], answer: 'json' },
  listDatasetsV1: { method: 'GET', path: '/v1/datasets', body: 'none', statuses: [200], answer: 'json' },
  createDatasetV1: { method: 'POST', path: '/v1/datasets', body: 'json', statuses: [200], answer: 'json' },
  listFieldsV1: { method: 'GET', path: '/v1/datasets/_fields', body: 'none', statuses: [200], answer: 'json' },
  getDatasetV1: { method: 'GET', path: '/v1/datasets/{name}', body: 'none', statuses: [200], answer: 'json' },
  updateDatasetV1: { method: 'PUT', path: '/v1/datasets/{name}', body: 'json', statuses: [200], answer: 'json' },
  deleteDatasetV1: { method: 'DELETE', path: '/v1/datasets/{name}', body: 'none', statuses: [204], answer: 'empty' },
  trimDatasetV1: { method: 'POST', path: '/v1/datasets/{name}/trim', body: 'json', statuses: [200], answer: 'json' },
  getDatasetInfoV1: { method: 'GET', path: '/v1/datasets/{name}/info', body: 'none', statuses: [200], answer: 'json' },
  listFields: { method: 'GET', path: '/v2/datasets/{id}/fields', body: 'none', statuses: [200], answer: 'json' },
  getField: { method: 'GET', path: '/v2/datasets/{id}/fields/{field}', body: 'none', statuses: [200], answer: 'json' },
  updateField: { method: 'PUT', path: '/v2/datasets/{id}/fields/{field}', body: 'json', statuses: [200], answer: 'json' },
  listMapFields: { method: 'GET', path: '/v2/datasets/{id}/mapfields', body: 'none', statuses: [200], answer: 'json' },
  updateMapFields: { method: 'PUT', path: '/v2/datasets/{id}/mapfields', body: 'json', statuses: [200], answer: 'json' },
  createMapField: { method: 'POST', path: '/v2/datasets/{id}/mapfields', body: 'json', statuses: [200], answer: 'json' },
  deleteMapField: { method: 'DELETE', path: '/v2/datasets/{id}/mapfields/{name}', body: 'none', statuses: [204], answer: 'empty' },
  getSchema: { method: 'GET', path: '/v2/datasets/{id}/schema', body: 'none', statuses: [200], answer: 'json' },
  lockSchema: { method: 'PUT', path: '/v2/datasets/{id}/schema', body: 'json', statuses: [200], answer: 'json' },
  unlockSchema: { method: 'DELETE', path: '/v2/datasets/{id}/schema', body: 'none', statuses: [204], answer: 'empty' },
  listTokens: { method: 'GET', path: '/v2/tokens', body: 'none', statuses: [200], answer: 'json' },
  createToken: { method: 'POST', path: '/v2/tokens', body: 'json', statuses: [200], answer: 'json' },
  getToken: { method: 'GET', path: '/v2/tokens/{id}', body: 'none', statuses: [200], answer: 'json' },
  deleteToken: { method: 'DELETE', path: '/v2/tokens/{id}', body: 'none', statuses: [204], answer: 'empty' },
  regenerateToken: { method: 'POST', path: '/v2/tokens/{id}/regenerate', body: 'json', statuses: [200], answer: 'json' },
  listPersonalTokens: { method: 'GET', path: '/v2/personal-tokens', body: 'none', statuses: [200], answer: 'json' },
  createPersonalToken: { method: 'POST', path: '/v2/personal-tokens', body: 'json', statuses: [200], answer: 'json' },
  deletePersonalToken: { method: 'DELETE', path: '/v2/personal-tokens/{id}', body: 'none', statuses: [204], answer: 'empty' },
  getCurrentUser: { method: 'GET', path: '/v2/user', body: 'none', statuses: [200], answer: 'json' },
  updateCurrentUser: { method: 'PUT', path: '/v2/user', body: 'json', statuses: [200], answer: 'json' },
  getCurrentUserV1: { method: 'GET', path: '/v1/user', body: 'none', statuses: [200], answer: 'json' },
  listUsers: { method: 'GET', path: '/v2/users', body: 'none', statuses: [200], answer: 'json' },
  createUser: { method: 'POST', path: '/v2/users', body: 'json', statuses: [200], answer: 'json' },
  getUser: { method: 'GET', path: '/v2/users/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateUser: { method: 'PUT', path: '/v2/users/{id}', body: 'json', statuses: [200], answer: 'json' },
  updateUserRole: { method: 'PUT', path: '/v2/users/{id}/role', body: 'json', statuses: [200], answer: 'json' },
  deleteUser: { method: 'DELETE', path: '/v2/users/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listRoles: { method: 'GET', path: '/v2/rbac/roles', body: 'none', statuses: [200], answer: 'json' },
  createRole: { method: 'POST', path: '/v2/rbac/roles', body: 'json', statuses: [200], answer: 'json' },
  getRole: { method: 'GET', path: '/v2/rbac/roles/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateRole: { method: 'PUT', path: '/v2/rbac/roles/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteRole: { method: 'DELETE', path: '/v2/rbac/roles/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listGroups: { method: 'GET', path: '/v2/rbac/groups', body: 'none', statuses: [200], answer: 'json' },
  createGroup: { method: 'POST', path: '/v2/rbac/groups', body: 'json', statuses: [200], answer: 'json' },
  getGroup: { method: 'GET', path: '/v2/rbac/groups/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateGroup: { method: 'PUT', path: '/v2/rbac/groups/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteGroup: { method: 'DELETE', path: '/v2/rbac/groups/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listOrgs: { method: 'GET', path: '/v2/orgs', body: 'none', statuses: [200], answer: 'json' },
  getOrg: { method: 'GET', path: '/v2/orgs/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateOrg: { method: 'PUT', path: '/v2/orgs/{id}', body: 'json', statuses: [200], answer: 'json' },
  listAnnotations: { method: 'GET', path: '/v2/annotations', body: 'none', statuses: [200], answer: 'json' },
  createAnnotation: { method: 'POST', path: '/v2/annotations', body: 'json', statuses: [201], answer: 'json' },
  getAnnotation: { method: 'GET', path: '/v2/annotations/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateAnnotation: { method: 'PUT', path: '/v2/annotations/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteAnnotation: { method: 'DELETE', path: '/v2/annotations/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listVirtualFields: { method: 'GET', path: '/v2/vfields', body: 'none', statuses: [200], answer: 'json' },
  createVirtualField: { method: 'POST', path: '/v2/vfields', body: 'json', statuses: [200], answer: 'json' },
  getVirtualField: { method: 'GET', path: '/v2/vfields/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateVirtualField: { method: 'PUT', path: '/v2/vfields/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteVirtualField: { method: 'DELETE', path: '/v2/vfields/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listViews: { method: 'GET', path: '/v2/views', body: 'none', statuses: [200], answer: 'json' },
  createView: { method: 'POST', path: '/v2/views', body: 'json', statuses: [200], answer: 'json' },
  getView: { method: 'GET', path: '/v2/views/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateView: { method: 'PUT', path: '/v2/views/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteView: { method: 'DELETE', path: '/v2/views/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listStarredQueries: { method: 'GET', path: '/v2/apl-starred-queries', body: 'none', statuses: [200], answer: 'json' },
  createStarredQuery: { method: 'POST', path: '/v2/apl-starred-queries', body: 'json', statuses: [200], answer: 'json' },
  getStarredQuery: { method: 'GET', path: '/v2/apl-starred-queries/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateStarredQuery: { method: 'PUT', path: '/v2/apl-starred-queries/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteStarredQuery: { method: 'DELETE', path: '/v2/apl-starred-queries/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listIntegrationDashboards: { method: 'GET', path: '/api/internal/integrations/dashboards', body: 'none', statuses: [200], answer: 'json' },
  listDashboards: { method: 'GET', path: '/v2/dashboards', body: 'none', statuses: [200], answer: 'json' },
  createDashboard: { method: 'POST', path: '/v2/dashboards', body: 'json', statuses: [200, 201], answer: 'json' },
  getDashboard: { method: 'GET', path: '/v2/dashboards/uid/{uid}', body: 'none', statuses: [200], answer: 'json' },
  replaceDashboard: { method: 'PUT', path: '/v2/dashboards/uid/{uid}', body: 'json', statuses: [200, 201], answer: 'json' },
  patchDashboardChart: { method: 'PATCH', path: '/v2/dashboards/uid/{uid}/charts/{chartId}', body: 'json', statuses: [200], answer: 'json' },
  deleteDashboard: { method: 'DELETE', path: '/v2/dashboards/uid/{uid}', body: 'none', statuses: [204], answer: 'empty' },
  listEvaluations: { method: 'GET', path: '/api/v3/evaluations', body: 'none', statuses: [200], answer: 'json' },
  createEvaluation: { method: 'POST', path: '/api/v3/evaluations', body: 'json', statuses: [200], answer: 'json' },
  getEvaluation: { method: 'GET', path: '/api/v3/evaluations/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateEvaluation: { method: 'PATCH', path: '/api/v3/evaluations/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteEvaluation: { method: 'DELETE', path: '/api/v3/evaluations/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listMonitors: { method: 'GET', path: '/v2/monitors', body: 'none', statuses: [200], answer: 'json' },
  createMonitor: { method: 'POST', path: '/v2/monitors', body: 'json', statuses: [200], answer: 'json' },
  getMonitor: { method: 'GET', path: '/v2/monitors/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateMonitor: { method: 'PUT', path: '/v2/monitors/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteMonitor: { method: 'DELETE', path: '/v2/monitors/{id}', body: 'none', statuses: [204], answer: 'empty' },
  getMonitorHistory: { method: 'GET', path: '/v2/monitors/{id}/history', body: 'none', statuses: [200], answer: 'json' },
  listMonitorHistory: { method: 'GET', path: '/api/internal/monitors/history', body: 'none', statuses: [200], answer: 'json' },
  listMonitorRuns: { method: 'GET', path: '/v2/monitors/{id}/runs', body: 'none', statuses: [200], answer: 'json' },
  previewMonitor: { method: 'POST', path: '/v2/monitors/_preview', body: 'json', statuses: [200], answer: 'json' },
  listMonitorStatus: { method: 'GET', path: '/v2/monitors/_status', body: 'none', statuses: [200], answer: 'json' },
  getServerHealth: { method: 'GET', path: '/v2/monitors/_health', body: 'none', statuses: [200], answer: 'json' },
  listRecentRuns: { method: 'GET', path: '/v2/monitors/_runs', body: 'none', statuses: [200], answer: 'json' },
  listNotifiers: { method: 'GET', path: '/v2/notifiers', body: 'none', statuses: [200], answer: 'json' },
  createNotifier: { method: 'POST', path: '/v2/notifiers', body: 'json', statuses: [200], answer: 'json' },
  getNotifier: { method: 'GET', path: '/v2/notifiers/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateNotifier: { method: 'PUT', path: '/v2/notifiers/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteNotifier: { method: 'DELETE', path: '/v2/notifiers/{id}', body: 'none', statuses: [204], answer: 'empty' },
  testNotifier: { method: 'POST', path: '/v2/notifiers/{id}/test', body: 'none', statuses: [200], answer: 'json' },
  previewNotifier: { method: 'POST', path: '/v2/notifiers/_preview', body: 'json', statuses: [200], answer: 'json' },
  listIngestRefusals: { method: 'GET', path: '/v2/ingest-refusals', body: 'none', statuses: [200], answer: 'json' },
  getHealth: { method: 'GET', path: '/healthz', body: 'none', statuses: [200, 503], answer: 'json' },
  getMetrics: { method: 'GET', path: '/metrics', body: 'none', statuses: [200], answer: 'bytes' },
  listNodes: { method: 'GET', path: '/v1/nodes', body: 'none', statuses: [200], answer: 'json' },
  listShards: { method: 'GET', path: '/v1/shards', body: 'none', statuses: [200], answer: 'json' },
  getCatalogue: { method: 'GET', path: '/v2/catalogue', body: 'none', statuses: [200], answer: 'json' },
  createSession: { method: 'POST', path: '/console/api/session', body: 'none', statuses: [200], answer: 'json' },
  listSessions: { method: 'GET', path: '/v2/sessions', body: 'none', statuses: [200], answer: 'json' },
  endSession: { method: 'DELETE', path: '/v2/sessions/{id}', body: 'none', statuses: [204], answer: 'empty' },
  createSignInCode: { method: 'POST', path: '/v2/sign-in-codes', body: 'none', statuses: [200], answer: 'json' },
  getOpenApi: { method: 'GET', path: '/openapi.json', body: 'none', statuses: [200], answer: 'json' },
} as const;
