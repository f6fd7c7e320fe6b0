/** Generated from the server's table of routes by `npm run docs`: change the routes, not this file. */

export interface AcknowledgeMonitor {
  /** Values of one group. Default: all open groups. */
  readonly values?: readonly unknown[];
}

export interface AcknowledgedGroups {
  /** Values of the open groups that are acknowledged. */
  readonly groups: readonly (readonly unknown[])[];
}

export interface Annotation {
  /** Datasets whose charts show it. */
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

export interface AnswerDevice {
  readonly userCode: string;
  readonly approve: boolean;
}

export interface AplRequest {
  /** The query. */
  readonly apl: string;
  /** RFC 3339 or relative, as in `now-1h`; inclusive. */
  readonly startTime?: string;
  /** Same formats as `startTime`; inclusive. */
  readonly endTime?: string;
  /** Row ID of an earlier response to continue from. */
  readonly cursor?: string;
  /** Include the event at the cursor. */
  readonly includeCursor?: boolean;
  /** Adds the column `_cursor`. */
  readonly includeCursorField?: boolean;
  /** Log position, such as `X-Millrace-Settled` of an earlier response. Later events are left out: the result is the same as then, except for events deleted since. */
  readonly asOf?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly queryOptions?: Readonly<Record<string, unknown>>;
  /** Maximum groups of `bin_auto`; 0 for the default. */
  readonly maxBinAutoGroups?: number;
  /** Default row limit. */
  readonly defaultLimit?: number;
  /** Order of events, if the query does not sort. */
  readonly defaultOrder?: readonly { readonly field: string; readonly desc?: boolean }[];
}

export interface BurnRateAlert {
  /** Long window: shows that a relevant part of the budget is used. */
  readonly longMinutes: number;
  /** Short window: shows that it is still being used. */
  readonly shortMinutes: number;
  /** Fires while both windows use the budget faster than this: at 1 it lasts exactly for the window. */
  readonly burnRate: number;
  readonly severity?: 'info' | 'warning' | 'error' | 'critical';
}

export interface CatalogueAnswer {
  readonly principal: {
    readonly kind: 'api-token' | 'personal-token';
    readonly tokenId: string;
    readonly tokenName: string;
    /** The user who owns the personal token, or who created the API token. */
    readonly userId: string;
    readonly userName: string;
    readonly email: string;
    /** Session of the request, if it has one. */
    readonly sessionId?: string;
  };
  /** The caller has a right if any of these grants it. */
  readonly capabilities: readonly {
    readonly datasetCapabilities: DatasetCapabilities;
    readonly orgCapabilities: OrgCapabilities;
    readonly viewCapabilities: ViewCapabilities;
  }[];
  /** Whether sending events creates missing datasets. */
  readonly autoCreateDatasets: boolean;
  /** Datasets that the caller may query or manage. */
  readonly datasets: readonly {
    /** Same as `name`. */
    readonly id: string;
    readonly name: string;
    readonly description: string;
    /** Who created it. */
    readonly who: string;
    readonly created: string;
    readonly updatedAt: string;
    /** Kind of data. Datasets for OpenTelemetry logs and traces are created with the map field `attributes.custom`. Datasets for metrics accept only metrics. */
    readonly kind: 'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1';
    /** Whether it accepts events; false for the audit log. */
    readonly canWrite: boolean;
    readonly useRetentionPeriod: boolean;
    readonly retentionDays: number;
    readonly mapFields: readonly string[];
    readonly edgeDeployment: string;
    readonly fieldRoles?: FieldRoles;
    /** Whether its schema is locked. */
    readonly locked: boolean;
    /** Sorted by name. */
    readonly fields: readonly DatasetField[];
  }[];
  /** Virtual fields of these datasets. */
  readonly virtualFields: readonly VirtualField[];
  /** Views that the caller may query. */
  readonly views: readonly View[];
  /** Organizations that the caller is a member of, if there are several. */
  readonly organizations?: readonly { readonly id: string; readonly name: string; readonly current: boolean }[];
}

/** Other properties are stored as sent. */
export interface ChangeEvaluation {
  /** Trace ID of the run. */
  readonly id?: string;
  readonly name?: string;
  /** Dataset with the spans of the run. */
  readonly dataset?: string;
  /** `running`, `completed`, `errored` or `cancelled`. */
  readonly status?: string;
  readonly totalCases?: number;
  readonly successCases?: number;
  readonly erroredCases?: number;
  readonly durationMs?: number;
}

export interface CreateAnnotation {
  /** Datasets whose charts show it. */
  readonly datasets: readonly string[];
  /** Kind of event, such as `deploy`. */
  readonly type: string;
  /** When it happened. Default: now. */
  readonly time?: string;
  /** When it ended. */
  readonly endTime?: string;
  readonly title?: string;
  readonly description?: string;
  /** Link to more information. */
  readonly url?: string;
}

export interface CreateDataset {
  /** Unique name: 1 to 128 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit. */
  readonly name: string;
  /** Purpose of the dataset. */
  readonly description?: string;
  /** Kind of data. Datasets for OpenTelemetry logs and traces are created with the map field `attributes.custom`. Datasets for metrics accept only metrics. */
  readonly kind?: 'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1';
  /** Stored and returned; no other effect. */
  readonly edgeDeployment?: string;
  /** Retention in days; 0 keeps events forever. */
  readonly retentionDays?: number;
  /** Delete events older than `retentionDays`. */
  readonly useRetentionPeriod?: boolean;
  readonly fieldRoles?: FieldRoles;
}

export interface CreateDatasetV1 {
  /** Unique name: 1 to 128 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit. */
  readonly name: string;
  /** Purpose of the dataset. */
  readonly description?: string;
  /** Stored and returned; no other effect. */
  readonly edgeDeployment?: string;
  /** Older name of `edgeDeployment`. */
  readonly region?: string;
}

export interface CreatePersonalToken {
  /** Display name. */
  readonly name: string;
  readonly description?: string;
  /** Expiry time, in the future. Default: never. */
  readonly expiresAt?: string;
  /** Owner of the token. Default: you. */
  readonly userId?: string;
}

export interface CreateToken {
  /** Display name. */
  readonly name: string;
  readonly description?: string;
  /** Expiry time, in the future. Default: never. */
  readonly expiresAt?: string;
  readonly datasetCapabilities?: DatasetCapabilities;
  readonly orgCapabilities?: OrgCapabilities;
  readonly viewCapabilities?: ViewCapabilities;
}

export interface CreateUser {
  readonly name: string;
  readonly email: string;
  /** ID or name of a role. */
  readonly role: string;
}

export interface CreatedOrg {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: 'enterprise';
  readonly planCreated: string;
  readonly lastUsageSync: string;
  /** Role of the caller. */
  readonly role: string;
  /** Whether you are a member, so that `X-Axiom-Org-Id` may name it. */
  readonly member?: boolean;
  readonly primaryEmail: string;
  readonly license: License;
  readonly paymentStatus: 'na';
  readonly metaCreated: string;
  readonly metaModified: string;
  readonly metaVersion: string;
  readonly defaultEdgeDeployment: string;
  readonly limits?: OrgLimits;
  /** For administrators of the server; absent for the first organization. */
  readonly usage?: { readonly ingestBytesToday: number; readonly storageBytes: number };
  /** Personal token of the owner of the organization, shown once. */
  readonly ownerToken: string;
}

export interface CreatedPersonalToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string | null;
  readonly userId: string;
  readonly created: string;
  /** Last use by a request or a session. Absent if the token has not been used since this is recorded. For API tokens, only with `include=lastUsed`. */
  readonly lastUsed?: string;
  /** The secret, which is not shown again. */
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
  /** Last use by a request or a session. Absent if the token has not been used since this is recorded. For API tokens, only with `include=lastUsed`. */
  readonly lastUsed?: string;
  /** The secret, which is not shown again. */
  readonly token: string;
}

export interface Dashboard {
  readonly id: string;
  readonly uid: string;
  readonly version: number;
  /** The document as sent. */
  readonly dashboard: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** Other properties are stored as sent. */
export interface DashboardDocument {
  readonly name: string;
  /** A user’s ID, or `X-AXIOM-EVERYONE` (the default) for all users. */
  readonly owner?: string;
  readonly description?: string;
  readonly charts: readonly { readonly id: string; readonly type: string; readonly name?: string }[];
  /** Positions of the charts on a grid of 12 columns. Charts without a position are placed below. */
  readonly layout: readonly {
    /** ID of a chart. */
    readonly i: string;
    readonly x?: number;
    readonly y?: number;
    readonly w: number;
    readonly h: number;
  }[];
  /** Seconds between refreshes; 0 for none. */
  readonly refreshTime: number;
  readonly schemaVersion: 2;
  /** `qr-now-1h`, or milliseconds since the epoch as a string. */
  readonly timeWindowStart: string;
  /** `qr-now`, or milliseconds since the epoch as a string. */
  readonly timeWindowEnd: string;
  /** Key of the dashboard that stays the same when it is replaced. */
  readonly uid?: string;
}

export interface Dataset {
  /** Same as `name`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Who created it. */
  readonly who: string;
  readonly created: string;
  readonly updatedAt: string;
  /** Kind of data. Datasets for OpenTelemetry logs and traces are created with the map field `attributes.custom`. Datasets for metrics accept only metrics. */
  readonly kind: 'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1';
  /** Whether it accepts events; false for the audit log. */
  readonly canWrite: boolean;
  readonly useRetentionPeriod: boolean;
  readonly retentionDays: number;
  readonly mapFields: readonly string[];
  readonly edgeDeployment: string;
  readonly fieldRoles?: FieldRoles;
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

export interface DeviceCode {
  readonly deviceCode: string;
}

export interface DeviceToken {
  readonly state: 'waiting' | 'approved';
  /** ID of the token. */
  readonly id?: string;
  /** A personal token, which is not shown again. */
  readonly token?: string;
  /** End of the token. */
  readonly expires?: string;
}

export interface Evaluation {
  /** Trace ID of the run. */
  readonly id: string;
  readonly name: string;
  /** Dataset with the spans of the run. */
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

export interface ExchangeToken {
  /** JWT of the platform. */
  readonly token: string;
}

export interface ExchangedToken {
  /** An API token, which is not shown again. */
  readonly token: string;
  /** End of the token. */
  readonly expires: string;
  /** Rule of the sign-in file that applied. */
  readonly rule: string;
}

export interface ExportLogsServiceResponse {
  readonly partialSuccess?: {
    /** Number of rejected log records, as a string. */
    readonly rejectedLogRecords: string;
    /** Why, and which values of stored records were dropped. */
    readonly errorMessage: string;
  };
}

export interface ExportMetricsServiceResponse {
  readonly partialSuccess?: {
    /** Number of rejected data points, as a string. */
    readonly rejectedDataPoints: string;
    /** Why, and which values of stored records were dropped. */
    readonly errorMessage: string;
  };
}

export interface ExportTraceServiceResponse {
  readonly partialSuccess?: {
    /** Number of rejected spans, as a string. */
    readonly rejectedSpans: string;
    /** Why, and which values of stored records were dropped. */
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

export interface FieldRoles {
  /** Field that supplies `_time`, for native and webhook requests without `timestamp-field`. Default, and if empty: `_time`. */
  readonly time?: string;
  /** Field with the message. Default, and if empty: detected. */
  readonly message?: string;
  /** Field with the level. Default, and if empty: detected. */
  readonly level?: string;
  /** Field with the service. Default, and if empty: detected. */
  readonly service?: string;
}

export interface FindMetrics {
  /** Value of a tag. */
  readonly value: string | number;
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
  readonly roles: readonly string[];
  /** Whether a provider manages its members by SCIM. */
  readonly isManaged: boolean;
  readonly id: string;
}

export interface Health {
  /** `incomplete`: accepts events and queries, but stored events are missing. */
  readonly status: 'ok' | 'incomplete' | 'unavailable';
  /** Problems and warnings; empty if there are none. */
  readonly reasons: readonly string[];
}

export interface HistoryQuery {
  readonly id: string;
  /** `apl`, `analytics` or `stream`. */
  readonly kind: string;
  readonly created: string;
  readonly dataset: string;
  /** ID of the user whose token ran it. */
  readonly who: string;
  /** The body of the request. */
  readonly query: unknown;
}

export interface Identity {
  readonly id: string;
  /** ID of the provider in the sign-in file. */
  readonly provider: string;
  readonly issuer: string;
  /** ID of the user at the provider. Absent for an invitation. */
  readonly subject?: string;
  /** Address that the provider named last. */
  readonly email: string;
  /** When it was linked. */
  readonly created: string;
  /** The last sign-in. */
  readonly lastSignIn?: string;
  /** End of an invitation. */
  readonly expires?: string;
}

export interface Incident {
  /** Time of the opening in milliseconds since the epoch, and a hash of the group. */
  readonly id: string;
  readonly monitorId: string;
  /** Name of the monitor at that time, with the values of the group. */
  readonly name: string;
  readonly openedAt: string;
  /** Absent while it is open, and for events. */
  readonly closedAt?: string;
  /** ID of the run that opened it. */
  readonly checkId: string;
  /** Fields of the group. */
  readonly keys: readonly string[];
  /** Values of the group. */
  readonly values: readonly unknown[];
  /** Why it opened. */
  readonly text: string;
  /** Why it closed. */
  readonly closedText?: string;
  /** Value that opened it. */
  readonly value?: number;
  /** Start of the range that the run queried. */
  readonly start: string;
  /** End of that range, exclusive. */
  readonly end: string;
  /** Log position after the run: with `asOf`, queries see what the run saw. */
  readonly position?: string;
  /** Present if a user has acknowledged it. */
  readonly acknowledged?: {
    readonly at: string;
    /** ID of the user; empty for a link in a message. */
    readonly by: string;
    /** ID of the notifier whose message had the link. */
    readonly through?: string;
    /** Name that was entered there; it is not verified. */
    readonly name?: string;
  };
  /** The condition of the monitor has changed since. */
  readonly edited: boolean;
  /** Of its notifications, oldest first. */
  readonly deliveries: readonly IncidentDelivery[];
  /** Other incidents of the monitor that opened while it was open, at most 100. */
  readonly others: readonly IncidentSummary[];
}

export interface IncidentDelivery {
  readonly id: string;
  readonly notifierId: string;
  readonly action: 'Open' | 'Closed';
  /** Time of the run that it is about. */
  readonly created: string;
  /** Text of the notification. */
  readonly body: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Attempts so far. */
  readonly tries: number;
  /** Why the last attempt failed. */
  readonly problem?: string;
  /** While it is waiting. */
  readonly nextTry?: string;
  /** The last 20, oldest first. */
  readonly attempts: readonly MonitorAttempt[];
}

export interface IncidentSummary {
  /** Time of the opening in milliseconds since the epoch, and a hash of the group. */
  readonly id: string;
  readonly monitorId: string;
  /** Name of the monitor at that time, with the values of the group. */
  readonly name: string;
  readonly openedAt: string;
  /** Absent while it is open, and for events. */
  readonly closedAt?: string;
}

export interface IngestRefusal {
  /** Error code, as in the header `X-Millrace-Error`; `invalid-events` if other events of the request were stored. */
  readonly code: string;
  /** Latest error message. */
  readonly message: string;
  readonly path: string;
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly address: string;
  /** Number of requests. */
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

export interface IngestStatus {
  /** Events stored: on disk, fsynced, and seen by the next query. */
  readonly ingested: number;
  /** Number of rejected events. */
  readonly failed: number;
  readonly failures: readonly { readonly timestamp: string; readonly error: string }[];
  /** Bytes of the decompressed body and of the labels. */
  readonly processedBytes: number;
  readonly blocksCreated: number;
  /** Bytes acknowledged but not flushed (at most 2^32 − 1). */
  readonly walLength: number;
  /** Only if values of stored events were dropped or renamed. */
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

export interface LinkIdentity {
  /** ID of a provider or proxy in the sign-in file. */
  readonly provider: string;
  /** ID of the user at the provider (`sub`). Without it, the user is invited for 7 days: the first sign-in with this provider and the verified address of the user is linked. */
  readonly subject?: string;
}

export interface LockedSchema {
  /** Fields that are stored in addition to `_time`; others are dropped. */
  readonly fields: readonly DeclaredField[];
}

export interface MapField {
  readonly name: string;
}

export type MetricsInfo = Readonly<Record<string, {
  readonly type: string | null;
  readonly temporality: string | null;
  readonly unit: string | null;
}>>;

export type MetricsList = readonly {
  readonly metric: string;
  /** Values keep their types; infinities are strings. Strings only in version 3. */
  readonly tags: Readonly<Record<string, unknown>>;
  /** Time of the first value, seconds since the epoch. */
  readonly start: number;
  /** Seconds between values. */
  readonly resolution: number;
  /** One value per window; null is a gap. */
  readonly data: readonly (number | null)[];
  /** The last value. */
  readonly summary?: number | null;
}[];

export interface MetricsResult {
  readonly metadata: {
    /** Tags of the last grouping. */
    readonly group_keys?: readonly string[];
    readonly warnings: readonly string[];
    readonly unit?: string | null;
    readonly custom_unit?: string | null;
    readonly ignore_unit?: boolean;
  };
  readonly series: readonly {
    readonly metric: string;
    /** Values keep their types; infinities are strings. Strings only in version 3. */
    readonly tags: Readonly<Record<string, unknown>>;
    /** Time of the first value, seconds since the epoch. */
    readonly start: number;
    /** Seconds between values. */
    readonly resolution: number;
    /** One value per window; null is a gap. */
    readonly data: readonly (number | null)[];
    /** The last value. */
    readonly summary?: number | null;
  }[];
}

export interface Monitor {
  readonly name: string;
  readonly type: 'Threshold' | 'MatchEvent' | 'AnomalyDetection';
  readonly description?: string;
  /** The query, exactly as sent, in APL or MPL; empty if `mplQuery` is present. */
  readonly aplQuery: string;
  /** The query in MPL over a dataset of metrics. Returned only with `include=mplQuery`. */
  readonly mplQuery?: string;
  readonly operator?: 'Below' | 'BelowOrEqual' | 'Above' | 'AboveOrEqual' | 'AboveOrBelow';
  readonly threshold: number;
  /** Open groups resolve when no value violates this threshold any more. Default: `threshold`. */
  readonly recoveryThreshold?: number;
  /** Minutes that a group stays open after the last run that found it violating. */
  readonly keepFiringMinutes?: number;
  /** Column to compare. Default: all numeric columns. */
  readonly columnName?: string;
  readonly intervalMinutes: number;
  readonly rangeMinutes: number;
  readonly secondDelay: number;
  readonly alertOnNoData: boolean;
  /** Minutes for which a group without data fires, with `alertOnNoData` and `notifyByGroup`. Default: `MILLRACE_MONITOR_GROUP_MEMORY`. */
  readonly groupMemoryMinutes?: number;
  readonly notifyByGroup: boolean;
  readonly notifyEveryRun: boolean;
  readonly skipResolved: boolean;
  readonly resolvable: boolean;
  readonly triggerFromNRuns: number;
  readonly triggerAfterNPositiveResults: number;
  readonly tolerance: number;
  readonly compareDays: number;
  readonly disabled: boolean;
  /** Muted until then: open incidents are closed at receivers, the monitor keeps running and sends nothing. Groups still open at the end of the mute are sent then. */
  readonly disabledUntil?: string;
  readonly notifierIds: readonly string[];
  /** Minutes after which an open group is notified again, until it resolves or is acknowledged; 0 means never. */
  readonly renotifyMinutes?: number;
  /** IDs of monitors: while one of them is open, this one notifies no notifier. */
  readonly inhibitedBy?: readonly string[];
  /** IDs of monitors: this one notifies only while all of them are open. */
  readonly notifyOnlyWhile?: readonly string[];
  /** Up to 32 labels, such as `{"team": "payments"}`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Urgency: more urgent notifications are sent first. The default is `error`, and `warning` for missing data. */
  readonly severity?: 'info' | 'warning' | 'error' | 'critical';
  readonly id: string;
  readonly createdAt: string;
  /** ID of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
  /** The SLO that it belongs to, with which it changes. */
  readonly sloId?: string;
}

export interface MonitorAttempt {
  readonly time: string;
  /** `later`: it is retried. */
  readonly outcome: 'delivered' | 'later' | 'failed';
  /** Duration in milliseconds. */
  readonly milliseconds: number;
  /** HTTP status of the response. */
  readonly status?: number;
  /** Beginning of the response. */
  readonly answer?: string;
  /** Why it failed. */
  readonly problem?: string;
}

export interface MonitorChange {
  /** ID of the run that changed it. */
  readonly checkId: string;
  /** Name of the monitor at that time, with the values of the group if groups are evaluated separately. */
  readonly name: string;
  readonly state: 'open' | 'closed';
  readonly timestamp: string;
}

export interface MonitorDelivery {
  readonly notifierId: string;
  readonly action: 'Open' | 'Closed';
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Failed attempts. */
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
    /** Events that matched. */
    readonly matched?: number;
    /** Smallest value compared with the threshold. */
    readonly min?: number;
    /** Largest value compared with the threshold. */
    readonly max?: number;
    readonly error?: string;
    /** Notifications that each notifier would have received. */
    readonly notified: number;
  }[];
  /** When it would have fired and resolved. */
  readonly changes: readonly {
    readonly time: string;
    readonly name: string;
    readonly state: 'open' | 'closed';
    /** Fields of the group. */
    readonly keys: readonly string[];
    /** Values of the group. */
    readonly values: readonly unknown[];
  }[];
  readonly notifications: readonly {
    readonly time: string;
    readonly action: 'Open' | 'Closed';
    readonly body: string;
  }[];
  /** Whether all runs are included; false if there were too many (the oldest are missing) or they took too long (the newest are missing). */
  readonly complete: boolean;
}

export interface MonitorRun {
  readonly id: string;
  /** Scheduled time of the run. */
  readonly time: string;
  /** Start of the queried time range, inclusive. */
  readonly start: string;
  /** End of the queried time range, exclusive. */
  readonly end: string;
  /** State of the monitor after the run; `error` if the query failed. */
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  /** Latest value that meets the condition, otherwise the latest value. */
  readonly value?: number;
  /** Events that matched. */
  readonly matched?: number;
  /** Why the query failed; for the health monitor, the problems of the server. */
  readonly error?: string;
  /** Notifications created. */
  readonly notified: number;
  /** Duration in milliseconds. */
  readonly milliseconds: number;
}

export interface MonitorRunColumns {
  /** Names of the columns. */
  readonly fields: readonly string[];
  readonly data: Readonly<Record<string, readonly (readonly unknown[])[]>>;
}

export interface MonitorRunWithDeliveries {
  readonly id: string;
  /** Scheduled time of the run. */
  readonly time: string;
  /** Start of the queried time range, inclusive. */
  readonly start: string;
  /** End of the queried time range, exclusive. */
  readonly end: string;
  /** State of the monitor after the run; `error` if the query failed. */
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  /** Latest value that meets the condition, otherwise the latest value. */
  readonly value?: number;
  /** Events that matched. */
  readonly matched?: number;
  /** Why the query failed; for the health monitor, the problems of the server. */
  readonly error?: string;
  /** Notifications created. */
  readonly notified: number;
  /** Duration in milliseconds. */
  readonly milliseconds: number;
  /** Deliveries of its notifications. */
  readonly deliveries: readonly MonitorDelivery[];
}

export interface MonitorStatus {
  readonly id: string;
  readonly state: 'ok' | 'open' | 'nodata' | 'error' | 'off';
  /** Why the last run failed. */
  readonly error?: string;
  /** Present while the monitor cannot run: its last `MILLRACE_MONITOR_FAILURES` runs failed, and its notifiers were notified. */
  readonly failing?: {
    readonly since: string;
    /** Failed runs in a row. */
    readonly runs: number;
  };
  /** Present while a silence is active for all of the monitor. */
  readonly silencedUntil?: string;
  /** It notifies no notifier because of `inhibitedBy` or `notifyOnlyWhile`. */
  readonly inhibited?: boolean;
  readonly lastRun?: string;
  /** Absent if the monitor is off. */
  readonly nextRun?: string;
  /** Open groups, at most `MILLRACE_STATUS_GROUPS`. A monitor that does not evaluate groups separately has one without keys. */
  readonly openGroups: readonly {
    readonly keys: readonly string[];
    readonly values: readonly unknown[];
    readonly since?: string;
    /** ID of its incident. */
    readonly incident?: string;
    readonly state: 'open' | 'nodata';
    /** Present if a user has acknowledged it. */
    readonly acknowledged?: {
      readonly at: string;
      /** ID of the user; empty for a link in a message. */
      readonly by: string;
      /** ID of the notifier whose message had the link. */
      readonly through?: string;
      /** Name that was entered there; it is not verified. */
      readonly name?: string;
    };
  }[];
  /** Number of open groups, including unlisted ones. */
  readonly openGroupCount: number;
}

export interface MplRequest {
  /** The query. */
  readonly mpl?: string;
  /** The query, if `mpl` is missing: some clients send it here. */
  readonly apl?: string;
  /** RFC 3339 or relative, as in `now-1h`; inclusive. */
  readonly startTime?: string;
  /** Same formats as `startTime`; exclusive. */
  readonly endTime?: string;
  /** Parameters: `param__name`, and a literal of the language as text, such as `"\"web\""`. */
  readonly params?: Readonly<Record<string, string>>;
  /** `chartWidth`: points of the chart, for `$__interval`, instead of the header `X-Axiom-Chart-Width`. */
  readonly queryOptions?: Readonly<Record<string, unknown>>;
}

export interface NewOrg {
  readonly name: string;
  /** Ignored. */
  readonly edgeDeployment?: string;
  readonly limits?: OrgLimits;
}

export interface Node {
  /** Unique number of this process, assigned at startup; 0 for a single server. */
  readonly epoch: number;
  /** Host name. */
  readonly name: string;
  readonly version: string;
  /** Address where it listens; empty during startup. */
  readonly url: string;
  readonly started: string;
  /** Time of the last heartbeat. */
  readonly seen: string;
  /** True if the last heartbeat is at most 10 seconds old. */
  readonly live: boolean;
}

export interface NotificationRoute {
  readonly name: string;
  /** Only monitors that have all these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only monitors of these severities. */
  readonly severities?: readonly ('info' | 'warning' | 'error' | 'critical')[];
  /** Only these monitors. */
  readonly monitorIds?: readonly string[];
  /** IDs of the notifiers that receive the alerts. */
  readonly notifierIds: readonly string[];
  /** More notifiers for groups that are open this long without acknowledgement. */
  readonly escalation?: {
    readonly afterMinutes: number;
    /** IDs of the notifiers. */
    readonly notifierIds: readonly string[];
  };
  /** Later routes are looked at as well. */
  readonly continue?: boolean;
}

export interface NotificationRoutes {
  /** In order: the first that matches a monitor decides. */
  readonly routes: readonly NotificationRoute[];
  /** Increases with each write; 0 before the first. */
  readonly version: number;
  readonly updatedAt?: string;
  /** ID of the user. */
  readonly updatedBy?: string;
}

export interface Notifier {
  readonly name: string;
  /** Exactly one channel. */
  readonly properties: NotifierProperties;
  /** Go template of titles. Default: the name of the monitor. */
  readonly titleTemplate?: string;
  /** Go template of texts. Default: what changed, or the event. */
  readonly bodyTemplate?: string;
  /** How long changes of a monitor wait for further ones, to be sent in one message. Default: 0. */
  readonly groupWaitSeconds?: number;
  /** Minimum time between two messages about one monitor. Default: 0. Without effect on PagerDuty and Opsgenie, which have an incident per group. */
  readonly groupIntervalMinutes?: number;
  /** Muted until then: opens no incidents and sends no messages, only closes incidents at PagerDuty and Opsgenie. Groups still open at the end of the mute are sent then; matching events are dropped. */
  readonly disabledUntil?: string;
  readonly id: string;
  readonly createdAt: string;
  /** ID of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
}

export interface NotifierPreview {
  /** `Match` is sent by match monitors. */
  readonly event: 'Open' | 'Closed' | 'Match';
  /** Without path and query; absent for email. */
  readonly url?: string;
  readonly body?: string;
  /** Why the template could not be rendered. */
  readonly problem?: string;
}

/** Exactly one channel. */
export interface NotifierProperties {
  readonly email?: { readonly emails: readonly string[] };
  readonly slack?: {
    /** URL of an incoming webhook. */
    readonly slackUrl: string;
  };
  readonly discord?: {
    /** ID of the channel. */
    readonly discordChannel: string;
    /** Token of a bot. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly discordToken: string;
  };
  readonly discordWebhook?: {
    /** Webhook URL of a channel. */
    readonly discordWebhookUrl: string;
  };
  readonly pagerduty?: {
    /** Of Events API v2. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly routingKey: string;
    /** Not used. */
    readonly token?: string;
    /** The account is in the EU service region. */
    readonly isEU?: boolean;
  };
  readonly opsgenie?: {
    /** Of the API integration. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly apiKey: string;
    readonly isEU?: boolean;
  };
  readonly microsoftTeams?: {
    /** Webhook URL of a workflow that posts to a channel. */
    readonly microsoftTeamsUrl: string;
  };
  readonly telegram?: {
    /** Token of a bot. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly botToken: string;
    /** ID of a chat, or `@name` of a channel. */
    readonly chatId: string;
    /** Topic of a forum. */
    readonly topicId?: number;
  };
  readonly ntfy?: {
    /** URL of the server, such as `https://ntfy.sh`. */
    readonly ntfyUrl: string;
    /** Up to 64 letters, digits, `-` and `_`. */
    readonly topic: string;
    /** Access token, if the topic is protected. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly accessToken?: string;
  };
  readonly mattermost?: {
    /** URL of an incoming webhook. */
    readonly mattermostUrl: string;
  };
  readonly googleChat?: {
    /** Webhook URL of a space. */
    readonly googleChatUrl: string;
  };
  readonly matrix?: {
    /** URL of the homeserver. */
    readonly homeserverUrl: string;
    /** Internal ID of the room: `!id:server`. */
    readonly roomId: string;
    /** Access token of a user in the room. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly accessToken: string;
  };
  readonly zulip?: {
    /** URL of the organization. */
    readonly zulipUrl: string;
    /** Email address of the bot. */
    readonly botEmail: string;
    /** API key of the bot. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly botApiKey: string;
    /** Name of the channel. */
    readonly channel: string;
    /** Topic in the channel. Default: the name of the monitor. */
    readonly topic?: string;
  };
  readonly webex?: {
    /** ID of the space. */
    readonly roomId: string;
    /** Access token of a bot in the space. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly accessToken: string;
  };
  readonly twilioSms?: {
    /** Account SID. */
    readonly accountSid: string;
    /** Auth token of the account. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly authToken: string;
    /** Number or alphanumeric ID of the sender, or SID of a messaging service. */
    readonly from: string;
    /** Number of the receiver, such as `+15550100`. */
    readonly to: string;
  };
  readonly awsSns?: {
    /** ARN of the topic. */
    readonly topicArn: string;
    /** ID of an access key that may publish. */
    readonly accessKeyId: string;
    /** Its secret. Shown as empty without the right to write notifiers; empty keeps it. */
    readonly secretAccessKey: string;
  };
  readonly webhook?: {
    /** URL that receives a POST with JSON. */
    readonly url: string;
  };
  readonly customWebhook?: {
    /** URL that receives a POST. */
    readonly url: string;
    /** Template of the body. Default: a standard JSON object. */
    readonly body?: string;
    /** Headers of the request. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Secret headers of the request. Values are shown as empty; an empty value keeps the stored one. */
    readonly secretHeaders?: Readonly<Record<string, string>>;
  };
}

export interface NotifierTest {
  /** `later`: a retry may succeed. */
  readonly outcome: 'delivered' | 'later' | 'failed';
  /** Why it was not delivered. */
  readonly problem?: string;
  /** Duration in milliseconds. */
  readonly milliseconds: number;
  /** The request, without headers; absent for email. The URL is shown without path and query. */
  readonly request?: { readonly url: string; readonly body: string };
  readonly answer?: {
    readonly status: number;
    /** Start of the response body. */
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
  /** Whether you are a member, so that `X-Axiom-Org-Id` may name it. */
  readonly member?: boolean;
  readonly primaryEmail: string;
  readonly license: License;
  readonly paymentStatus: 'na';
  readonly metaCreated: string;
  readonly metaModified: string;
  readonly metaVersion: string;
  readonly defaultEdgeDeployment: string;
  readonly limits?: OrgLimits;
  /** For administrators of the server; absent for the first organization. */
  readonly usage?: { readonly ingestBytesToday: number; readonly storageBytes: number };
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
  readonly metrics?: readonly 'read'[];
  readonly monitors?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly notifiers?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly rbac?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly sharedAccessKeys?: readonly ('read' | 'update')[];
  readonly users?: readonly ('create' | 'read' | 'update' | 'delete')[];
  readonly views?: readonly ('create' | 'read' | 'update' | 'delete')[];
}

export interface OrgLimits {
  /** Bytes of events per day (UTC), after decompression. Ingest beyond it gets 429. Counted in memory: a restart of the server begins again. */
  readonly ingestBytesPerDay?: number;
  /** Bytes of stored events, compressed, measured every minute. Ingest beyond it gets 429. */
  readonly storageBytes?: number;
  /** Queries of all tokens that wait or run. Further ones get 429. */
  readonly concurrentQueries?: number;
  /** Memory of the engine for one query. */
  readonly queryMemoryBytes?: number;
}

export interface PatchChart {
  /** JSON merge patch (RFC 7396) of the chart: null removes a property, objects are merged. */
  readonly chart: Readonly<Record<string, unknown>>;
  /** Version that the change is based on; a different current version is a conflict. */
  readonly version?: number;
  /** Skip the version check. */
  readonly overwrite?: boolean;
  /** Description of the change, for the version history. */
  readonly message?: string;
}

export interface PersonalToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string | null;
  readonly userId: string;
  readonly created: string;
  /** Last use by a request or a session. Absent if the token has not been used since this is recorded. For API tokens, only with `include=lastUsed`. */
  readonly lastUsed?: string;
}

export interface PreviewMonitor {
  readonly monitor: WriteMonitor;
  /** Time of the first run. Default: a day before the end, or less, to fit `MILLRACE_PREVIEW_RUNS`. */
  readonly startTime?: string;
  /** Time of the last run. Default: now. */
  readonly endTime?: string;
  /** Treat events as if each had arrived at its time, such as imported ones. Required for `MatchEvent`. */
  readonly ignoreArrival?: boolean;
}

export interface PreviewNotifier {
  readonly notifier: WriteNotifier;
  /** ID of the notifier that it would replace, whose secrets replace empty ones. */
  readonly id?: string;
}

export interface PublicStatus {
  readonly title: string;
  readonly message?: string;
  /** The worst of all. */
  readonly state: 'operational' | 'degraded' | 'disrupted' | 'unknown';
  readonly updatedAt: string;
  readonly components: readonly {
    readonly name: string;
    /** `disrupted` while the monitor is open, `degraded` if its severity is info or warning, `unknown` if it is off or cannot run. */
    readonly state: 'operational' | 'degraded' | 'disrupted' | 'unknown';
    /** Start of the oldest open incident. */
    readonly since?: string;
    /** Part of each of the last 30 days with an open incident, oldest first. Days before the monitor existed are left out. */
    readonly days: readonly number[];
  }[];
}

export interface QueryEstimate {
  /** Maximum events that the engine would read. */
  readonly rows: number;
  /** Uncompressed bytes of these events with all fields; a query of few fields reads less. */
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
  /** Blocks of 8,192 events in the time range; the engine reads whole blocks. */
  readonly blocksExamined: number;
  /** Always 0. */
  readonly blocksCached: number;
  /** Blocks that were read: the engine's count of rows read, rounded up. */
  readonly blocksMatched: number;
  /** Blocks that were skipped because of an index, a limit or the metadata. */
  readonly blocksSkipped: number;
  /** Events in the time range, in all datasets of the query; without a dataset (`print`), the number of rows. */
  readonly rowsExamined: number;
  /** Events that pass the filters before any aggregation and limit. */
  readonly rowsMatched: number;
  readonly numGroups: number;
  readonly isPartial: boolean;
  readonly cacheStatus: number;
  /** Start of the time range, or time of the oldest event of the datasets if that is later. */
  readonly minBlockTime: string;
  /** End of the time range, or time of the newest event of the datasets if that is earlier. */
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
  /** A list of values per entry of `fields`. */
  readonly columns: readonly (readonly unknown[])[];
}

export interface RecentRuns {
  /** ID of the monitor. */
  readonly id: string;
  /** Newest first. */
  readonly runs: readonly MonitorRun[];
  readonly changed?: MonitorChange;
}

export interface RegenerateToken {
  /** Expiry of the current secret; both are valid until then. */
  readonly existingTokenExpiresAt: string;
  /** Expiry time, in the future. Default: never. */
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

export interface RoutesTest {
  /** All notifiers that receive the alerts. */
  readonly notifierIds: readonly string[];
  /** Notifiers of the monitor itself. */
  readonly own: readonly string[];
  /** Routes that match and count. */
  readonly routes: readonly {
    /** Position in the table, from 0. */
    readonly index: number;
    readonly name: string;
    /** Those of this route. */
    readonly notifierIds: readonly string[];
    /** More notifiers for groups that are open this long without acknowledgement. */
    readonly escalation?: {
      readonly afterMinutes: number;
      /** IDs of the notifiers. */
      readonly notifierIds: readonly string[];
    };
  }[];
}

export interface RunningQuery {
  /** Trace ID of the request; the other queries of a batch have a number appended. */
  readonly id: string;
  readonly kind: 'apl' | 'mpl' | 'promql' | 'logql' | 'structured' | 'export' | 'tail';
  /** The APL, MPL, PromQL or LogQL, or the body of a structured query. */
  readonly query: string;
  readonly state: 'waiting' | 'running';
  readonly started: string;
  readonly elapsedMilliseconds: number;
  readonly tokenId: string;
  readonly userId: string;
  /** Rows read so far by the running statements; absent if none is running, or the engine is too busy to report it. */
  readonly rowsRead?: number;
  readonly bytesRead?: number;
  /** Rows that these statements read in total, as currently estimated. */
  readonly rowsTotal?: number;
}

export interface ServerHealth {
  readonly id: string;
  readonly state: 'ok' | 'open' | 'nodata' | 'error' | 'off';
  /** Why the last run failed. */
  readonly error?: string;
  /** Present while the monitor cannot run: its last `MILLRACE_MONITOR_FAILURES` runs failed, and its notifiers were notified. */
  readonly failing?: {
    readonly since: string;
    /** Failed runs in a row. */
    readonly runs: number;
  };
  /** Present while a silence is active for all of the monitor. */
  readonly silencedUntil?: string;
  /** It notifies no notifier because of `inhibitedBy` or `notifyOnlyWhile`. */
  readonly inhibited?: boolean;
  readonly lastRun?: string;
  /** Absent if the monitor is off. */
  readonly nextRun?: string;
  /** Open groups, at most `MILLRACE_STATUS_GROUPS`. A monitor that does not evaluate groups separately has one without keys. */
  readonly openGroups: readonly {
    readonly keys: readonly string[];
    readonly values: readonly unknown[];
    readonly since?: string;
    /** ID of its incident. */
    readonly incident?: string;
    readonly state: 'open' | 'nodata';
    /** Present if a user has acknowledged it. */
    readonly acknowledged?: {
      readonly at: string;
      /** ID of the user; empty for a link in a message. */
      readonly by: string;
      /** ID of the notifier whose message had the link. */
      readonly through?: string;
      /** Name that was entered there; it is not verified. */
      readonly name?: string;
    };
  }[];
  /** Number of open groups, including unlisted ones. */
  readonly openGroupCount: number;
  /** IDs of its notifiers. */
  readonly notifierIds: readonly string[];
  /** Newest first. */
  readonly runs: readonly MonitorRun[];
}

export interface Session {
  readonly id: string;
  /** When it began. */
  readonly created: string;
  /** Expiry time; using the session extends it. */
  readonly expires: string;
  /** ID of the token that signed in. The session has its rights and ends with it. */
  readonly tokenId: string;
  readonly tokenName: string;
  /** Time of the last request. */
  readonly lastUsed: string;
  /** The user who owns the personal token, or who created the API token. */
  readonly userId: string;
  /** Address of the client at sign-in. */
  readonly address: string;
  /** User agent of the browser. */
  readonly userAgent: string;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

export interface Shard {
  /** Position among the addresses in the setting, starting at 1. */
  readonly shard: number;
  /** Whether it accepts events and queries, as seen by this node. */
  readonly ready: boolean;
  /** Names of the datasets that it stores. */
  readonly datasets: readonly string[];
}

export interface SignInCode {
  /** One-time code that signs in a browser. */
  readonly code: string;
  /** Expiry time. */
  readonly expires: string;
  /** Path to open in a browser: `/console/#code=…`. */
  readonly path: string;
}

export interface SignInMethods {
  /** Whose tokens sign in: `all` or `owner`. */
  readonly tokens: string;
  readonly providers: readonly {
    readonly id: string;
    /** Text of the button. */
    readonly name: string;
    /** Page that starts the sign-in. */
    readonly path: string;
    /** Whether to start it without a click. */
    readonly autoStart: boolean;
  }[];
  /** Name of the proxy that has signed this browser in. */
  readonly proxy?: string;
}

export interface SignedOut {
  /** Page that signs out of the provider, if it is to. */
  readonly url?: string;
}

export interface Silence {
  /** Why, for other users. */
  readonly reason: string;
  /** Only monitors that have all these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only these monitors. */
  readonly monitorIds?: readonly string[];
  /** Only groups with all these values, by the names of their fields: `{"host": "a"}`. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Active from then on. */
  readonly startTime: string;
  /** Required without `repeat`. */
  readonly endTime?: string;
  readonly repeat?: {
    /** Start of each window: minute, hour, day of the month, month, day of the week. */
    readonly cron: string;
    /** Of the start, such as `Europe/Berlin`. */
    readonly timeZone?: string;
    /** Length of each window. */
    readonly durationMinutes: number;
  };
  readonly id: string;
  readonly createdAt: string;
  /** ID of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
  /** Active now. */
  readonly active: boolean;
  /** End of the present window. */
  readonly activeUntil?: string;
  /** Start of the next window, if it is within a year. */
  readonly nextStart?: string;
}

export interface Slo {
  readonly name: string;
  readonly description?: string;
  /** The events that count, such as `['http-logs'] | where path == "/pay"`; not summarized. */
  readonly aplQuery: string;
  /** Condition that good ones meet, such as `status < 500`. Events for which it is null are bad. */
  readonly good: string;
  /** Percentage of events that have to be good, such as 99.9. */
  readonly objective: number;
  /** Length of the rolling window, in days. */
  readonly windowDays: number;
  readonly alerts: readonly BurnRateAlert[];
  readonly notifierIds: readonly string[];
  /** Labels of its monitors, for routes. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly id: string;
  readonly createdAt: string;
  /** ID of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
  /** Its monitors, one for each alert. */
  readonly monitorIds: readonly string[];
}

export interface SloBudget {
  /** Start of the window. */
  readonly start: string;
  /** End of the window. */
  readonly end: string;
  /** Percentage. */
  readonly objective: number;
  readonly good: number;
  readonly total: number;
  /** Percentage of good events; absent without events. */
  readonly attained?: number;
  /** Part of the error budget that is left: 1 is all of it, below 0 the objective is missed. */
  readonly remaining: number;
  /** How fast the budget is used in the last minutes: at 1 it lasts exactly for the window. */
  readonly burnRates: readonly { readonly minutes: number; readonly rate: number }[];
  /** Steps of the window that have events, oldest first. */
  readonly points: readonly {
    /** Start of the step. */
    readonly time: string;
    readonly good: number;
    readonly total: number;
    /** Part of the budget that is left after it. */
    readonly remaining: number;
  }[];
}

export interface Source {
  /** Name, unique among sources. */
  readonly name: string;
  /** Dataset that gets the events. */
  readonly dataset: string;
  /** Dataset that gets messages that cannot be read. Default: the dataset of the events. */
  readonly rejectedDataset?: string;
  /** Exactly one kind. */
  readonly properties: SourceProperties;
  readonly id: string;
  readonly paused: boolean;
  readonly createdAt: string;
  /** ID of the user. */
  readonly createdBy: string;
  readonly updatedAt: string;
  /** ID of the user whose rights apply: the last one who wrote it. */
  readonly writtenBy: string;
  readonly kind: 'kafka' | 'bucket';
  readonly status: SourceStatus;
}

/** Exactly one kind. */
export interface SourceProperties {
  readonly kafka?: {
    readonly brokers: readonly string[];
    readonly topics: readonly string[];
    /** Consumer group. Default: `millrace-` and the ID of the source. */
    readonly group?: string;
    /** How values are read; `text` becomes the field `message`. OTLP is protobuf or JSON. */
    readonly format?: 'json' | 'text' | 'otlp-logs' | 'otlp-traces' | 'otlp-metrics';
    /** Where reading starts in partitions for which the group has no offset. */
    readonly start?: 'earliest' | 'latest';
    /** Field with the event time. Default: `_time`, then the time of the message. */
    readonly timestampField?: string;
    /** Connect with TLS. */
    readonly tls?: boolean;
    /** CA certificates in PEM. Default: those of the system. */
    readonly ca?: string;
    /** SASL mechanism. */
    readonly mechanism?: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
    /** Of SASL. */
    readonly username?: string;
    /** Of SASL. Shown as empty without the right to write sources; empty keeps it. */
    readonly password?: string;
  };
  readonly bucket?: {
    /** Name of the bucket. */
    readonly bucket: string;
    /** Only objects whose keys start with it. */
    readonly prefix?: string;
    /** Default: `us-east-1`. */
    readonly region?: string;
    /** URL of an S3-compatible server. Default: AWS in the region. */
    readonly endpoint?: string;
    /** ID of an access key that may list and read. Default: unsigned requests. */
    readonly accessKeyId?: string;
    /** Its secret. Shown as empty without the right to write sources; empty keeps it. */
    readonly secretAccessKey?: string;
    /** Default: by name and content. */
    readonly format?: 'auto' | 'json' | 'ndjson' | 'csv' | 'text' | 'parquet' | 'cloudtrail' | 'alb' | 'vpcflow' | 'cloudfront';
    /** Field with the event time. Default: the field that plainly has it. */
    readonly timestampField?: string;
    /** Only objects whose keys come after it in order. */
    readonly startAfter?: string;
    /** Only objects modified since then. */
    readonly modifiedSince?: string;
    /** Time between two listings. */
    readonly pollSeconds?: number;
    /** URL of an SQS queue with notifications of the bucket, which are read instead of listings. */
    readonly queueUrl?: string;
  };
}

export interface SourceStatus {
  /** `failing`: the last attempt failed and is repeated. `stopped`: the user whose rights apply was removed. `waiting`: not started yet. */
  readonly state: 'running' | 'failing' | 'paused' | 'stopped' | 'waiting';
  /** Why it is failing or stopped. */
  readonly problem?: string;
  /** Events stored. */
  readonly events: number;
  /** Events that the dataset rejected. */
  readonly failedEvents: number;
  /** Messages or objects that could not be read, and were kept aside. */
  readonly rejectedMessages: number;
  /** Batches stored. */
  readonly batches: number;
  /** Bytes of the batches. */
  readonly bytes: number;
  /** Messages, or objects, that are still to be read; absent until it is known. */
  readonly lag?: number;
  /** Bytes of the objects that are still to be read. */
  readonly lagBytes?: number;
  /** The last stored batch: topic, partition and offsets, or an object. */
  readonly position?: string;
  readonly lastBatchAt?: string;
  /** The last messages, objects and events that were rejected, newest first. */
  readonly rejects: readonly { readonly time: string; readonly position: string; readonly problem: string }[];
  /** When this was recorded. */
  readonly updatedAt?: string;
}

export interface StarredQuery {
  readonly kind: 'apl';
  readonly dataset: string;
  readonly name: string;
  /** The query as saved, always with `queryOptions`. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly who: string;
  readonly created: string;
  readonly id: string;
}

export interface StartDevice {
  /** Name of the program and machine. */
  readonly name: string;
  /** Lifetime of the token. Default: 12 hours. */
  readonly seconds?: number;
}

export interface StartedDevice {
  /** For the program only. */
  readonly deviceCode: string;
  /** What the user types at `path`. */
  readonly userCode: string;
  readonly path: string;
  /** End of both codes. */
  readonly expires: string;
  /** Minimum seconds between requests for the token. */
  readonly interval: number;
}

export interface StartedSession {
  readonly id: string;
  /** When it began. */
  readonly created: string;
  /** Expiry time; using the session extends it. */
  readonly expires: string;
  /** ID of the token that signed in. The session has its rights and ends with it. */
  readonly tokenId: string;
  readonly tokenName: string;
}

export interface StatusPage {
  /** Whether `/status` is public. Otherwise it does not exist. */
  readonly enabled: boolean;
  readonly title: string;
  /** Shown above the states, as plain text. */
  readonly message?: string;
  /** In the order of the page. */
  readonly monitors: readonly StatusPageMonitor[];
  readonly updatedAt?: string;
  /** ID of the user. */
  readonly updatedBy?: string;
}

export interface StatusPageMonitor {
  readonly monitorId: string;
  /** What readers see instead of its name. */
  readonly name: string;
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
  /** Same formats as `startTime`; inclusive. */
  readonly endTime?: string;
  /** Width of the buckets: `auto`, a duration such as `1m30s`, or seconds. */
  readonly resolution?: unknown;
  readonly aggregations?: readonly {
    readonly op: string;
    /** `*` for `count`. */
    readonly field?: string;
    readonly alias?: string;
    /** Argument of the aggregation: the number of values for `topk`, the list of `percentiles`, the number of bins, … */
    readonly argument?: unknown;
  }[];
  readonly groupBy?: readonly string[];
  /** A tree of `{op, field, value, caseSensitive, children}`; see the operators below. */
  readonly filter?: unknown;
  readonly order?: readonly { readonly field: string; readonly desc?: boolean }[];
  /** Maximum events or groups, up to 50000; 0 for the default. */
  readonly limit?: number;
  readonly virtualFields?: readonly {
    readonly alias: string;
    /** Expression in APL. */
    readonly expr: string;
  }[];
  readonly project?: readonly { readonly field: string; readonly alias?: string }[];
  /** Row ID of an earlier response to continue from. */
  readonly cursor?: string;
  /** Include the event at the cursor. */
  readonly includeCursor?: boolean;
  /** Cursor of an earlier response. */
  readonly continuationToken?: string;
  /** Log position, such as `X-Millrace-Settled` of an earlier response. Later events are left out. */
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

export interface TestNotificationRoutes {
  /** A monitor. Default: one with these labels and severity. */
  readonly monitorId?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly severity?: 'info' | 'warning' | 'error' | 'critical';
  /** Routes to test. Default: the stored ones. */
  readonly routes?: readonly NotificationRoute[];
}

export interface TestNotifier {
  readonly notifier: WriteNotifier;
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
  /** Last use by a request or a session. Absent if the token has not been used since this is recorded. For API tokens, only with `include=lastUsed`. */
  readonly lastUsed?: string;
}

export interface TrimOptions {
  /** Age of the oldest events to keep, more than 0: `30d`, `1h30m` or `1s`. */
  readonly maxDuration: string;
}

export interface TrimResult {
  /** Number of deleted events. */
  readonly numDeleted: number;
}

export interface UpdateAnnotation {
  /** Datasets whose charts show it. */
  readonly datasets?: readonly string[];
  /** Kind of event, such as `deploy`. */
  readonly type?: string;
  /** When it happened. Default: now. */
  readonly time?: string;
  /** When it ended. */
  readonly endTime?: string;
  readonly title?: string;
  readonly description?: string;
  /** Link to more information. */
  readonly url?: string;
}

export interface UpdateDataset {
  /** Purpose of the dataset. */
  readonly description?: string;
  /** Retention in days; 0 keeps events forever. */
  readonly retentionDays?: number;
  /** Delete events older than `retentionDays`. */
  readonly useRetentionPeriod?: boolean;
  readonly fieldRoles?: FieldRoles;
}

export interface UpdateDatasetV1 {
  /** Purpose of the dataset. */
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
  readonly name?: string;
  readonly limits?: OrgLimits;
}

export interface UpdateUser {
  readonly name: string;
}

export interface UpdateUserRole {
  /** ID or name of a role. */
  readonly role: string;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: { readonly id: string; readonly name: string };
}

export interface UserCode {
  readonly userCode: string;
}

export interface UserV1 {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The same address, in the form that the Rust client reads. */
  readonly emails: readonly string[];
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface VacuumResult {
  /** Removed fields; no stored event has them. */
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
  /** Name in queries. */
  readonly name: string;
  /** Scalar expression in APL. */
  readonly expression: string;
  readonly description?: string;
  readonly type?: string;
  readonly unit?: string;
  readonly id: string;
}

export interface WaitingDevice {
  readonly name: string;
  /** Network address of the program. */
  readonly address: string;
  /** Lifetime of the token. */
  readonly seconds: number;
}

export interface WriteDashboard {
  /** Other properties are stored as sent. */
  readonly dashboard: DashboardDocument;
  /** Key of the dashboard that stays the same when it is replaced. */
  readonly uid?: string;
  /** Version that the change is based on; a different current version is a conflict. */
  readonly version?: number;
  /** Skip the version check. */
  readonly overwrite?: boolean;
  /** Description of the change, for the version history. */
  readonly message?: string;
}

/** Other properties are stored as sent. */
export interface WriteEvaluation {
  /** Trace ID of the run. */
  readonly id: string;
  readonly name: string;
  /** Dataset with the spans of the run. */
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
  /** IDs of the users in the group. */
  readonly members?: readonly string[];
  /** IDs of the roles that every member has. */
  readonly roles?: readonly string[];
}

export interface WriteMonitor {
  readonly name: string;
  readonly type: 'Threshold' | 'MatchEvent' | 'AnomalyDetection';
  readonly description?: string;
  /** The query, in APL or MPL. Either this or `mplQuery`. */
  readonly aplQuery?: string;
  /** The query in MPL over a dataset of metrics. Returned only with `include=mplQuery`. */
  readonly mplQuery?: string;
  /** How values are compared; `AboveOrBelow` is for `AnomalyDetection`. */
  readonly operator?: '' | 'Below' | 'BelowOrEqual' | 'Above' | 'AboveOrEqual' | 'AboveOrBelow';
  readonly threshold?: number;
  /** Open groups resolve when no value violates this threshold any more. Default: `threshold`. */
  readonly recoveryThreshold?: number;
  /** Minutes that a group stays open after the last run that found it violating. */
  readonly keepFiringMinutes?: number;
  /** Column to compare. Default: all numeric columns. */
  readonly columnName?: string;
  /** Interval in minutes; 0 means 1. `MatchEvent` runs every minute, whatever is set. */
  readonly intervalMinutes?: number;
  /** Minutes that each run queries; 0 means 1. */
  readonly rangeMinutes?: number;
  /** Seconds by which the queried range ends before the run, for events that arrive late. */
  readonly secondDelay?: number;
  /** Fire when there is no data; with `notifyByGroup` also for each group whose data stops. */
  readonly alertOnNoData?: boolean;
  /** Minutes for which a group without data fires, with `alertOnNoData` and `notifyByGroup`. Default: `MILLRACE_MONITOR_GROUP_MEMORY`. */
  readonly groupMemoryMinutes?: number;
  /** Evaluate each group separately. */
  readonly notifyByGroup?: boolean;
  /** Notify on every run while firing. */
  readonly notifyEveryRun?: boolean;
  /** Do not notify on resolve. */
  readonly skipResolved?: boolean;
  /** Stored and returned; no other effect. */
  readonly resolvable?: boolean;
  /** Number of latest runs to consider; 0 means 1. */
  readonly triggerFromNRuns?: number;
  /** How many of them must meet the condition to fire; 0 means all. */
  readonly triggerAfterNPositiveResults?: number;
  /** Multiple of the usual variation; 0 means 3. */
  readonly tolerance?: number;
  /** Anomalies must also differ from the values this many days earlier. */
  readonly compareDays?: number;
  /** Turns the monitor off. */
  readonly disabled?: boolean;
  /** Muted until then: open incidents are closed at receivers, the monitor keeps running and sends nothing. Groups still open at the end of the mute are sent then. */
  readonly disabledUntil?: string;
  /** IDs of its notifiers. */
  readonly notifierIds?: readonly string[];
  /** Minutes after which an open group is notified again, until it resolves or is acknowledged; 0 means never. */
  readonly renotifyMinutes?: number;
  /** IDs of monitors: while one of them is open, this one notifies no notifier. */
  readonly inhibitedBy?: readonly string[];
  /** IDs of monitors: this one notifies only while all of them are open. */
  readonly notifyOnlyWhile?: readonly string[];
  /** Up to 32 labels, such as `{"team": "payments"}`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Urgency: more urgent notifications are sent first. The default is `error`, and `warning` for missing data. */
  readonly severity?: 'info' | 'warning' | 'error' | 'critical';
}

export interface WriteNotificationRoutes {
  /** In order: the first that matches a monitor decides. */
  readonly routes: readonly NotificationRoute[];
  /** The version that was read: another one in the meantime is a conflict. */
  readonly version?: number;
}

export interface WriteNotifier {
  readonly name: string;
  /** Exactly one channel. */
  readonly properties: NotifierProperties;
  /** Go template of titles. Default: the name of the monitor. */
  readonly titleTemplate?: string;
  /** Go template of texts. Default: what changed, or the event. */
  readonly bodyTemplate?: string;
  /** How long changes of a monitor wait for further ones, to be sent in one message. Default: 0. */
  readonly groupWaitSeconds?: number;
  /** Minimum time between two messages about one monitor. Default: 0. Without effect on PagerDuty and Opsgenie, which have an incident per group. */
  readonly groupIntervalMinutes?: number;
  /** Muted until then: opens no incidents and sends no messages, only closes incidents at PagerDuty and Opsgenie. Groups still open at the end of the mute are sent then; matching events are dropped. */
  readonly disabledUntil?: string;
}

export interface WriteRole {
  /** Unique name. */
  readonly name: string;
  readonly description?: string;
  /** IDs of users who have the role in addition to their own. */
  readonly members?: readonly string[];
  readonly datasetCapabilities?: DatasetCapabilities;
  readonly orgCapabilities?: OrgCapabilities;
  readonly viewCapabilities?: ViewCapabilities;
}

export interface WriteSilence {
  /** Why, for other users. */
  readonly reason: string;
  /** Only monitors that have all these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only these monitors. */
  readonly monitorIds?: readonly string[];
  /** Only groups with all these values, by the names of their fields: `{"host": "a"}`. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Default: now. */
  readonly startTime?: string;
  /** Required without `repeat`. */
  readonly endTime?: string;
  readonly repeat?: {
    /** Start of each window: minute, hour, day of the month, month, day of the week. */
    readonly cron: string;
    /** Of the start, such as `Europe/Berlin`. */
    readonly timeZone?: string;
    /** Length of each window. */
    readonly durationMinutes: number;
  };
}

export interface WriteSlo {
  readonly name: string;
  readonly description?: string;
  /** The events that count, such as `['http-logs'] | where path == "/pay"`; not summarized. */
  readonly aplQuery: string;
  /** Condition that good ones meet, such as `status < 500`. Events for which it is null are bad. */
  readonly good: string;
  /** Percentage of events that have to be good, such as 99.9. */
  readonly objective: number;
  /** Length of the rolling window, in days. */
  readonly windowDays: number;
  /** Burn-rate alerts, each a monitor. Default: 14.4 over 1 h and 5 min (critical), 6 over 6 h and 30 min (error), 1 over 3 d and 6 h (warning). */
  readonly alerts?: readonly BurnRateAlert[];
  /** Notifiers of its monitors. */
  readonly notifierIds?: readonly string[];
  /** Labels of its monitors, for routes. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface WriteSource {
  /** Name, unique among sources. */
  readonly name: string;
  /** Dataset that gets the events. */
  readonly dataset: string;
  /** Dataset that gets messages that cannot be read. Default: the dataset of the events. */
  readonly rejectedDataset?: string;
  /** Exactly one kind. */
  readonly properties: SourceProperties;
}

export interface WriteStarredQuery {
  readonly kind?: 'apl';
  readonly dataset?: string;
  readonly name: string;
  /** Body of a query request; `apl` is required. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Stored and returned. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Owner: `team`, or your user ID. Default: you for a new query, the current owner for a replaced one. */
  readonly who?: string;
}

export interface WriteStatusPage {
  /** Whether `/status` is public. Otherwise it does not exist. */
  readonly enabled: boolean;
  readonly title: string;
  /** Shown above the states, as plain text. */
  readonly message?: string;
  /** In the order of the page. */
  readonly monitors: readonly StatusPageMonitor[];
}

export interface WriteView {
  /** Unique name in queries. */
  readonly name: string;
  readonly aplQuery: string;
  /** Names of datasets. */
  readonly datasets?: readonly string[];
  readonly description?: string;
}

export interface WriteVirtualField {
  readonly dataset: string;
  /** Name in queries. */
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
  /** Whether the version check was skipped. */
  readonly overwritten?: boolean;
  /** The owner as sent, who is no user here: the dashboard is shared with everyone. Only with `include=unknownOwner`. */
  readonly unknownOwner?: string;
}

/** Request and answer types of each operation. */
export interface Operations {
  /** Send events */
  readonly ingest: {
    readonly request: {
      readonly params: { readonly dataset: string };
      readonly query?: {
        /** Field of the events that supplies `_time`. */
        readonly 'timestamp-field'?: string;
        /** Go reference layout. Default: detected. */
        readonly 'timestamp-format'?: string;
        /** Default `,`. Ignored unless the body is CSV. */
        readonly 'csv-delimiter'?: string;
      };
      readonly headers?: {
        /** `text/csv`, or a JSON type such as `application/json` or `application/x-ndjson`. Default: JSON, also for the default types of common HTTP clients. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
        /** Names of the columns; the first line of the CSV is then data. */
        readonly 'x-axiom-csv-fields'?: string;
        /** Requests with the same key are stored once, as long as the key is remembered. */
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
        /** Go reference layout. Default: detected. */
        readonly 'timestamp-format'?: string;
        /** Default `,`. Ignored unless the body is CSV. */
        readonly 'csv-delimiter'?: string;
      };
      readonly headers?: {
        /** `text/csv`, or a JSON type such as `application/json` or `application/x-ndjson`. Default: JSON, also for the default types of common HTTP clients. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
        /** Names of the columns; the first line of the CSV is then data. */
        readonly 'x-axiom-csv-fields'?: string;
        /** Requests with the same key are stored once, as long as the key is remembered. */
        readonly 'idempotency-key'?: string;
        /** JSON object merged into every event. */
        readonly 'x-axiom-event-labels'?: string;
      };
      readonly body: Uint8Array | string;
    };
    readonly answer: IngestStatus;
  };
  /** Send OpenTelemetry spans */
  readonly ingestTraces: {
    readonly request: {
      readonly headers: {
        /** Name of the dataset for the records. */
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
  /** Send OpenTelemetry log records */
  readonly ingestLogs: {
    readonly request: {
      readonly headers: {
        /** Name of the dataset for the records. */
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
  /** Send OpenTelemetry data points */
  readonly ingestMetrics: {
    readonly request: {
      readonly headers: {
        /** Name of the dataset for the records. */
        readonly 'x-axiom-dataset': string;
        /** `application/x-protobuf` or `application/json`. */
        readonly 'content-type'?: string;
        /** gzip, zstd, deflate, br or identity. */
        readonly 'content-encoding'?: string;
      };
      readonly body: Uint8Array | string;
    };
    readonly answer: ExportMetricsServiceResponse;
  };
  /** Run an APL query */
  readonly queryApl: {
    readonly request: {
      readonly query?: {
        /** `tabular`, `tabular-rows` (one JSON array per row and line) or `legacy` (the default). */
        readonly format?: string;
        /** Bypass the result cache. */
        readonly nocache?: boolean;
        readonly cursor?: string;
        /** Save the query in the history; the response has its ID in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'apl' | 'analytics' | 'stream';
        readonly dataset_name?: string;
        readonly id?: string;
        /** Long-poll timeout, for example `30s`, or `auto`. */
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
        /** `tabular`, `tabular-rows` (one JSON array per row and line) or `legacy` (the default). */
        readonly format?: string;
        /** Bypass the result cache. */
        readonly nocache?: boolean;
        readonly cursor?: string;
        /** Save the query in the history; the response has its ID in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'apl' | 'analytics' | 'stream';
        readonly dataset_name?: string;
        readonly id?: string;
        /** Long-poll timeout, for example `30s`, or `auto`. */
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
        /** `tabular`, `tabular-rows` (one JSON array per row and line) or `legacy` (the default). */
        readonly format?: string;
        /** Bypass the result cache. */
        readonly nocache?: boolean;
        readonly cursor?: string;
        /** Save the query in the history; the response has its ID in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'apl' | 'analytics' | 'stream';
        readonly dataset_name?: string;
        readonly id?: string;
        /** Long-poll timeout, for example `30s`, or `auto`. */
        readonly 'streaming-duration'?: string;
      };
      readonly body: AplRequest;
    };
    readonly answer: LegacyAnswer | TabularAnswer;
  };
  /** Run an MPL query over metrics */
  readonly queryMpl: {
    readonly request: {
      readonly query?: {
        /** `metrics-v2` (the default) or `metrics-v1`, a plain list. */
        readonly format?: string;
      };
      readonly headers?: {
        /** Media types of clients choose the version of the response. */
        readonly accept?: string;
        /** Points of the chart, for `$__interval`. Default: 100. */
        readonly 'x-axiom-chart-width'?: string;
      };
      readonly body: MplRequest;
    };
    readonly answer: MetricsResult | MetricsList;
  };
  /** Run an MPL query (older path) */
  readonly queryMetrics: {
    readonly request: {
      readonly query?: {
        /** `metrics-v2` (the default) or `metrics-v1`, a plain list. */
        readonly format?: string;
      };
      readonly headers?: {
        /** Media types of clients choose the version of the response. */
        readonly accept?: string;
        /** Points of the chart, for `$__interval`. Default: 100. */
        readonly 'x-axiom-chart-width'?: string;
      };
      readonly body: MplRequest;
    };
    readonly answer: MetricsResult | MetricsList;
  };
  /** Describe MPL */
  readonly describeMpl: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: Uint8Array;
  };
  /** List the metrics of a dataset */
  readonly listMetrics: {
    readonly request: {
      readonly params: {
        /** Dataset of kind `otel:metrics:v1`. */
        readonly dataset: string;
      };
      readonly query: {
        /** RFC 3339 or relative, as in `now-1d`; whole days are searched. */
        readonly start: string;
        /** Same formats as `start`. */
        readonly end: string;
      };
      readonly headers?: { readonly accept?: string };
    };
    readonly answer: MetricsInfo | readonly string[];
  };
  /** Find metrics by the value of a tag */
  readonly findMetrics: {
    readonly request: {
      readonly params: {
        /** Dataset of kind `otel:metrics:v1`. */
        readonly dataset: string;
      };
      readonly query: {
        /** RFC 3339 or relative, as in `now-1d`; whole days are searched. */
        readonly start: string;
        /** Same formats as `start`. */
        readonly end: string;
      };
      readonly body: FindMetrics;
    };
    readonly answer: Readonly<Record<string, readonly string[]>>;
  };
  /** List the tags of a metric */
  readonly listMetricTags: {
    readonly request: {
      readonly params: {
        /** Dataset of kind `otel:metrics:v1`. */
        readonly dataset: string;
        /** Metric. */
        readonly metric: string;
      };
      readonly query: {
        /** RFC 3339 or relative, as in `now-1d`; whole days are searched. */
        readonly start: string;
        /** Same formats as `start`. */
        readonly end: string;
      };
    };
    readonly answer: readonly string[];
  };
  /** List the tags of all metrics */
  readonly listMetricsTags: {
    readonly request: {
      readonly params: {
        /** Dataset of kind `otel:metrics:v1`. */
        readonly dataset: string;
      };
      readonly query: {
        /** RFC 3339 or relative, as in `now-1d`; whole days are searched. */
        readonly start: string;
        /** Same formats as `start`. */
        readonly end: string;
      };
    };
    readonly answer: readonly string[];
  };
  /** List the values of a tag of a metric */
  readonly listMetricTagValues: {
    readonly request: {
      readonly params: {
        /** Dataset of kind `otel:metrics:v1`. */
        readonly dataset: string;
        /** Metric. */
        readonly metric: string;
        /** Tag. */
        readonly tag: string;
      };
      readonly query: {
        /** RFC 3339 or relative, as in `now-1d`; whole days are searched. */
        readonly start: string;
        /** Same formats as `start`. */
        readonly end: string;
      };
    };
    readonly answer: readonly unknown[];
  };
  /** List the values of a tag */
  readonly listMetricsTagValues: {
    readonly request: {
      readonly params: {
        /** Dataset of kind `otel:metrics:v1`. */
        readonly dataset: string;
        /** Tag. */
        readonly tag: string;
      };
      readonly query: {
        /** RFC 3339 or relative, as in `now-1d`; whole days are searched. */
        readonly start: string;
        /** Same formats as `start`. */
        readonly end: string;
      };
    };
    readonly answer: readonly unknown[];
  };
  /** Run a structured query */
  readonly queryDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset or view. */
        readonly name: string;
      };
      readonly query?: {
        /** Bypass the result cache. */
        readonly nocache?: boolean;
        /** Save the query in the history; the response has its ID in `X-Axiom-History-Query-Id`. */
        readonly saveAsKind?: 'analytics' | 'stream';
        /** Long-poll timeout, for example `30s`, or `auto`. */
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
        /** Maximum queries of the batch that run concurrently. */
        readonly maxConcurrency?: number;
        /** Bypass the result cache. */
        readonly nocache?: boolean;
      };
      readonly headers?: {
        /** Points of the chart, for `$__interval`. Default: 100. */
        readonly 'x-axiom-chart-width'?: string;
      };
      readonly body: readonly {
        /** Unique in the batch. */
        readonly queryId: string;
        readonly aplRequest?: AplRequest;
        /** A query of metrics, instead of `aplRequest`. */
        readonly mplRequest?: MplRequest | null;
      }[];
    };
    readonly answer: Uint8Array;
  };
  /** Export a full query result */
  readonly exportByUrl: {
    readonly request: {
      readonly query: {
        /** The query. */
        readonly apl: string;
        /** RFC 3339 or relative, as in `now-1h`; inclusive. */
        readonly startTime?: string;
        /** Same formats as `startTime`; inclusive. */
        readonly endTime?: string;
        /** Row ID of an earlier response to continue from. */
        readonly cursor?: string;
        /** Include the event at the cursor. */
        readonly includeCursor?: boolean;
        /** Adds the column `_cursor`. */
        readonly includeCursorField?: boolean;
        /** Log position, such as `X-Millrace-Settled` of an earlier response. Later events are left out: the result is the same as then, except for events deleted since. */
        readonly asOf?: string;
        /** Default: NDJSON. */
        readonly format?: 'ndjson' | 'csv' | 'parquet';
      };
    };
    readonly answer: Uint8Array;
  };
  /** Export a full query result */
  readonly export: {
    readonly request: {
      readonly body: {
        /** The query. */
        readonly apl: string;
        /** RFC 3339 or relative, as in `now-1h`; inclusive. */
        readonly startTime?: string;
        /** Same formats as `startTime`; inclusive. */
        readonly endTime?: string;
        /** Row ID of an earlier response to continue from. */
        readonly cursor?: string;
        /** Include the event at the cursor. */
        readonly includeCursor?: boolean;
        /** Adds the column `_cursor`. */
        readonly includeCursorField?: boolean;
        readonly variables?: Readonly<Record<string, unknown>>;
        /** Log position, such as `X-Millrace-Settled` of an earlier response. Later events are left out: the result is the same as then, except for events deleted since. */
        readonly asOf?: string;
        /** Default: NDJSON. */
        readonly format?: 'ndjson' | 'csv' | 'parquet';
      };
    };
    readonly answer: Uint8Array;
  };
  /** Estimate the cost of a query */
  readonly estimateQuery: {
    readonly request: {
      readonly body: AplRequest;
    };
    readonly answer: QueryEstimate;
  };
  /** List queued and running queries */
  readonly listQueries: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly RunningQuery[];
  };
  /** Stop a query */
  readonly stopQuery: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List query history */
  readonly listHistory: {
    readonly request: {
      readonly query?: {
        /** Maximum queries to return. */
        readonly limit?: number;
        /** ID of a query; returns queries that ran before it. */
        readonly before?: string;
        readonly kind?: 'apl' | 'analytics' | 'stream';
        readonly dataset?: string;
        /** Text that the query contains, case-insensitive. */
        readonly qs?: string;
      };
    };
    readonly answer: readonly HistoryQuery[];
  };
  /** Get a query from the history */
  readonly getHistoryQuery: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: HistoryQuery;
  };
  /** Tail events in arrival order */
  readonly tail: {
    readonly request: {
      readonly body: {
        /** One dataset, and operators that process one event at a time. */
        readonly apl: string;
        /** Last position or cursor received; the tail continues after it. Default: now. */
        readonly after?: string;
      };
    };
    readonly answer: Uint8Array;
  };
  /** Get the status of a batch */
  readonly getReceipt: {
    readonly request: {
      readonly params: { readonly position: string };
    };
    readonly answer: {
      /** Position from `X-Millrace-Position`. */
      readonly position: string;
      /** `logged`: durable in the log. `stored`: also in the engine. */
      readonly state: 'logged' | 'stored';
    };
  };
  /** Verify stored batches */
  readonly verify: {
    readonly request: {
      readonly query?: {
        /** Read the local files of all datasets and compare their checksums. */
        readonly files?: boolean;
      };
    };
    readonly answer: {
      /** Batches in the log. */
      readonly batches: number;
      /** Events of these batches. */
      readonly events: number;
      /** Batches whose events or dataset were deleted on purpose. */
      readonly skipped: number;
      /** Batches that are missing, incomplete or duplicated in the engine; empty if there are none. */
      readonly wrong: readonly {
        readonly position: string;
        readonly datasetId: number;
        /** Name of the dataset, unless it was deleted. */
        readonly dataset?: string;
        readonly events: number;
        readonly rows: number;
      }[];
      /** Positions of quarantined batches, which the engine rejects. They are not in `wrong`, and are retried at each start. Empty if there are none. */
      readonly refused: readonly string[];
      /** Stored events that are lost: their files are damaged or missing. Empty if there are none. */
      readonly missing: readonly {
        /** 0 for files of the log. */
        readonly datasetId: number;
        /** Name of the dataset, unless it was deleted. */
        readonly dataset?: string;
        /** `20261120` for a day, `20261100` for a month, `20260000` for a year. */
        readonly partition: number;
        readonly events: number;
        /** When it was detected. */
        readonly since: string;
      }[];
      /** Detached table parts, which the engine could not use. Their events that were still in the log were stored again. */
      readonly aside: readonly string[];
      /** Table parts whose files are damaged: queries that read them answer 503. Empty if there are none. */
      readonly damaged: readonly {
        readonly datasetId: number;
        /** Name of the dataset, unless it was deleted. */
        readonly dataset?: string;
        readonly part: string;
        readonly reason: string;
      }[];
    };
  };
  /** Acknowledge missing events */
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
        /** Same formats as `startTime`; inclusive. */
        readonly endTime?: string;
        /** Delete the events. Default: only count them. */
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
      /** Log position of the backup. */
      readonly position: string;
      /** Pass it when you read the metadata; that resumes retries of quarantined batches. */
      readonly pause: string;
      readonly datasets: readonly {
        readonly id: number;
        readonly name: string;
        readonly columns?: readonly {
          /** Field and type. */
          readonly name: string;
          /** Whether its strings are dictionary-encoded. */
          readonly dictionary?: boolean;
          /** Whether it is compressed for size rather than speed. */
          readonly squeezed?: boolean;
          /** Whether it is an identifier field with an index. */
          readonly identity?: boolean;
        }[];
      }[];
      /** Positions of quarantined batches: acknowledged, but rejected by the engine. The metadata contains them as received, so the backup does too, and a restored server retries them at each start. If the metadata you read lacks one of them, it was deleted or stored in the meantime, perhaps after its dataset was read: restart the backup. */
      readonly refused: readonly string[];
    };
  };
  /** Get events of a dataset up to a position, as Parquet */
  readonly backupDataset: {
    readonly request: {
      readonly params: { readonly id: number };
      readonly query: {
        /** Log position of the backup. */
        readonly upTo: string;
      };
    };
    readonly answer: Uint8Array;
  };
  /** Get the metadata as a SQLite file */
  readonly backupMetadata: {
    readonly request: {
      readonly query?: {
        /** `pause` from the response to `POST /v1/backup`. It can be passed repeatedly and ends no other pause; an unused one ends after 12 hours. */
        readonly pause?: string;
      };
    };
    readonly answer: Uint8Array;
  };
  /** List datasets */
  readonly listDatasets: {
    readonly request: {
      readonly query?: {
        /** `fieldRoles` adds the fields with a role. */
        readonly include?: 'fieldRoles';
      };
    };
    readonly answer: readonly Dataset[];
  };
  /** Create a dataset */
  readonly createDataset: {
    readonly request: {
      readonly query?: {
        /** Ignored. */
        readonly referrer?: string;
        /** Shard for the dataset. Default: the least used one. */
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
      readonly query?: {
        /** `fieldRoles` adds the fields with a role. */
        readonly include?: 'fieldRoles';
      };
    };
    readonly answer: Dataset;
  };
  /** Change description, retention and field roles of a dataset */
  readonly updateDataset: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
      readonly query?: {
        /** `fieldRoles` adds the fields with a role. */
        readonly include?: 'fieldRoles';
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
  /** Delete the older events of a dataset */
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
  /** Remove unused fields */
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
  /** List the fields of all datasets */
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
  /** Delete the older events of a dataset */
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
  /** Get size, time range and fields of a dataset */
  readonly getDatasetInfoV1: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly name: string;
      };
    };
    readonly answer: DatasetInfo;
  };
  /** List the fields of a dataset */
  readonly listFields: {
    readonly request: {
      readonly params: {
        /** Name of the dataset. */
        readonly id: string;
      };
    };
    readonly answer: readonly DatasetField[];
  };
  /** Get a field of a dataset */
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
  /** List the map fields of a dataset */
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
  /** Get the locked schema of a dataset */
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
    readonly request: {
      readonly query?: {
        /** `lastUsed` adds the time of the last use. */
        readonly include?: 'lastUsed';
      };
    };
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
        /** ID of the resource. */
        readonly id: string;
      };
      readonly query?: {
        /** `lastUsed` adds the time of the last use. */
        readonly include?: 'lastUsed';
      };
    };
    readonly answer: Token;
  };
  /** Delete an API token */
  readonly deleteToken: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Regenerate an API token */
  readonly regenerateToken: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Get the current user */
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
  /** Get the current user (version 1) */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: User;
  };
  /** Change the name of a user */
  readonly updateUser: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
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
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Role;
  };
  /** Replace a role */
  readonly updateRole: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Group;
  };
  /** Replace a group */
  readonly updateGroup: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List organizations */
  readonly listOrgs: {
    readonly request: {
      readonly query?: {
        /** `member` adds whether you are a member; for administrators of the server also `limits` and `usage`. */
        readonly include?: 'member';
      };
    };
    readonly answer: readonly Org[];
  };
  /** Create an organization */
  readonly createOrg: {
    readonly request: {
      readonly body: NewOrg;
    };
    readonly answer: CreatedOrg;
  };
  /** Get an organization */
  readonly getOrg: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly query?: {
        /** `member` adds whether you are a member; for administrators of the server also `limits` and `usage`. */
        readonly include?: 'member';
      };
    };
    readonly answer: Org;
  };
  /** Rename an organization, or set its limits */
  readonly updateOrg: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: UpdateOrg;
    };
    readonly answer: Org;
  };
  /** Delete an organization with all of its data */
  readonly deleteOrg: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List annotations */
  readonly listAnnotations: {
    readonly request: {
      readonly query?: {
        /** Only annotations of at least one of these datasets. */
        readonly datasets?: readonly string[];
        /** Only annotations that end at or after this time. */
        readonly start?: string;
        /** Only annotations that start before this time. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Annotation;
  };
  /** Change an annotation */
  readonly updateAnnotation: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List the virtual fields of a dataset */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: VirtualField;
  };
  /** Replace a virtual field */
  readonly updateVirtualField: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: View;
  };
  /** Replace a view */
  readonly updateView: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List saved queries */
  readonly listStarredQueries: {
    readonly request: {
      readonly query?: {
        /** Maximum elements to return. */
        readonly limit?: number;
        /** Elements to skip. */
        readonly offset?: number;
        /** Only queries of this dataset. */
        readonly dataset?: string;
        /** Owner: a user ID, `team` for all owners except you, or `all`. Default: you. */
        readonly who?: string;
        /** Only queries with this text in their name or text. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: StarredQuery;
  };
  /** Replace a saved query */
  readonly updateStarredQuery: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List dashboards of integrations */
  readonly listIntegrationDashboards: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Dashboard[];
  };
  /** List dashboards */
  readonly listDashboards: {
    readonly request: {
      readonly query?: {
        /** Maximum elements to return. */
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
      readonly query?: {
        /** `unknownOwner` adds the owner as sent, if it is no user here. */
        readonly include?: 'unknownOwner';
      };
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
      readonly query?: {
        /** `unknownOwner` adds the owner as sent, if it is no user here. */
        readonly include?: 'unknownOwner';
      };
      readonly body: WriteDashboard;
    };
    readonly answer: WrittenDashboard;
  };
  /** Update a chart of a dashboard */
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
  /** List evaluation runs */
  readonly listEvaluations: {
    readonly request: {
      readonly query?: {
        /** Maximum elements to return. */
        readonly limit?: number;
        /** Elements to skip. */
        readonly offset?: number;
        /** Only runs of this dataset. */
        readonly dataset?: string;
      };
    };
    readonly answer: readonly Evaluation[];
  };
  /** Start an evaluation run */
  readonly createEvaluation: {
    readonly request: {
      readonly body: WriteEvaluation;
    };
    readonly answer: Evaluation;
  };
  /** Get an evaluation run */
  readonly getEvaluation: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Evaluation;
  };
  /** Update an evaluation run */
  readonly updateEvaluation: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: ChangeEvaluation;
    };
    readonly answer: Evaluation;
  };
  /** Delete an evaluation run */
  readonly deleteEvaluation: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List monitors */
  readonly listMonitors: {
    readonly request: {
      readonly query?: {
        /** `mplQuery` is the query of a monitor over metrics, whose `aplQuery` is empty. */
        readonly include?: 'mplQuery';
      };
    };
    readonly answer: readonly Monitor[];
  };
  /** Create a monitor */
  readonly createMonitor: {
    readonly request: {
      readonly query?: {
        /** `mplQuery` is the query of a monitor over metrics, whose `aplQuery` is empty. */
        readonly include?: 'mplQuery';
      };
      readonly body: WriteMonitor;
    };
    readonly answer: Monitor;
  };
  /** Get a monitor */
  readonly getMonitor: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly query?: {
        /** `mplQuery` is the query of a monitor over metrics, whose `aplQuery` is empty. */
        readonly include?: 'mplQuery';
      };
    };
    readonly answer: Monitor;
  };
  /** Replace a monitor */
  readonly updateMonitor: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly query?: {
        /** `mplQuery` is the query of a monitor over metrics, whose `aplQuery` is empty. */
        readonly include?: 'mplQuery';
      };
      readonly body: WriteMonitor;
    };
    readonly answer: Monitor;
  };
  /** Delete a monitor */
  readonly deleteMonitor: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Acknowledge open groups */
  readonly acknowledgeMonitor: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: AcknowledgeMonitor;
    };
    readonly answer: AcknowledgedGroups;
  };
  /** List state changes of a monitor */
  readonly getMonitorHistory: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
  /** List runs of several monitors, by column */
  readonly listMonitorHistory: {
    readonly request: {
      readonly query: {
        /** Comma-separated IDs. */
        readonly monitorIds: string;
        /** Start of the time range; may be relative, such as `now-1h`. */
        readonly startTime?: string;
        /** End of the time range, inclusive. Default: now. */
        readonly endTime?: string;
      };
    };
    readonly answer: MonitorRunColumns;
  };
  /** List runs of a monitor */
  readonly listMonitorRuns: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: readonly MonitorRunWithDeliveries[];
  };
  /** List incidents */
  readonly listIncidents: {
    readonly request: {
      readonly query: {
        /** Only of this monitor. */
        readonly monitorId?: string;
        /** Opened at or after this time. */
        readonly startTime: string;
        /** Opened at or before this time. Default: now. */
        readonly endTime?: string;
      };
    };
    readonly answer: readonly IncidentSummary[];
  };
  /** Get an incident */
  readonly getIncident: {
    readonly request: {
      readonly params: {
        /** ID of the monitor. */
        readonly id: string;
        readonly incident: string;
      };
    };
    readonly answer: Incident;
  };
  /** Back-test a monitor */
  readonly previewMonitor: {
    readonly request: {
      readonly body: PreviewMonitor;
    };
    readonly answer: MonitorPreview;
  };
  /** List monitor states */
  readonly listMonitorStatus: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly MonitorStatus[];
  };
  /** Get server health */
  readonly getServerHealth: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: ServerHealth;
  };
  /** List recent runs of all monitors */
  readonly listRecentRuns: {
    readonly request: {
      readonly query?: {
        /** Maximum runs per monitor. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Notifier;
  };
  /** Replace a notifier */
  readonly updateNotifier: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
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
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Send a test notification */
  readonly testNotifier: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: NotifierTest;
  };
  /** Send a test notification to a new notifier */
  readonly testNewNotifier: {
    readonly request: {
      readonly body: TestNotifier;
    };
    readonly answer: NotifierTest;
  };
  /** Preview notifications */
  readonly previewNotifier: {
    readonly request: {
      readonly body: PreviewNotifier;
    };
    readonly answer: readonly NotifierPreview[];
  };
  /** List silences */
  readonly listSilences: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Silence[];
  };
  /** Create a silence */
  readonly createSilence: {
    readonly request: {
      readonly body: WriteSilence;
    };
    readonly answer: Silence;
  };
  /** Get a silence */
  readonly getSilence: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Silence;
  };
  /** Replace a silence */
  readonly updateSilence: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: WriteSilence;
    };
    readonly answer: Silence;
  };
  /** Delete a silence */
  readonly deleteSilence: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** List sources */
  readonly listSources: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Source[];
  };
  /** Create a source */
  readonly createSource: {
    readonly request: {
      readonly body: WriteSource;
    };
    readonly answer: Source;
  };
  /** Get a source */
  readonly getSource: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Source;
  };
  /** Replace a source */
  readonly updateSource: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: WriteSource;
    };
    readonly answer: Source;
  };
  /** Delete a source */
  readonly deleteSource: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Pause a source */
  readonly pauseSource: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Source;
  };
  /** Resume a source */
  readonly resumeSource: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Source;
  };
  /** Get the status of a source */
  readonly getSourceStatus: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: SourceStatus;
  };
  /** List SLOs */
  readonly listSlos: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Slo[];
  };
  /** Create an SLO */
  readonly createSlo: {
    readonly request: {
      readonly body: WriteSlo;
    };
    readonly answer: Slo;
  };
  /** Get an SLO */
  readonly getSlo: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: Slo;
  };
  /** Replace an SLO */
  readonly updateSlo: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: WriteSlo;
    };
    readonly answer: Slo;
  };
  /** Delete an SLO */
  readonly deleteSlo: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Get the error budget of an SLO */
  readonly getSloBudget: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: SloBudget;
  };
  /** Get the status page */
  readonly getStatusPage: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: StatusPage;
  };
  /** Replace the status page */
  readonly replaceStatusPage: {
    readonly request: {
      readonly body: WriteStatusPage;
    };
    readonly answer: StatusPage;
  };
  /** Get the public status */
  readonly getPublicStatus: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: PublicStatus;
  };
  /** Get the table of routes */
  readonly getNotificationRoutes: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: NotificationRoutes;
  };
  /** Replace the table of routes */
  readonly replaceNotificationRoutes: {
    readonly request: {
      readonly body: WriteNotificationRoutes;
    };
    readonly answer: NotificationRoutes;
  };
  /** List who would be notified */
  readonly testNotificationRoutes: {
    readonly request: {
      readonly body: TestNotificationRoutes;
    };
    readonly answer: RoutesTest;
  };
  /** List rejected ingest requests of the last hour */
  readonly listIngestRefusals: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly IngestRefusal[];
  };
  /** Check server readiness */
  readonly getHealth: {
    readonly request: {
      readonly query?: {
        /** What has to work. */
        readonly for?: 'ingest';
      };
    };
    readonly answer: Health;
  };
  /** Get metrics for Prometheus */
  readonly getMetrics: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: Uint8Array;
  };
  /** List cluster nodes */
  readonly listNodes: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Node[];
  };
  /** List shards and their datasets */
  readonly listShards: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: readonly Shard[];
  };
  /** Get the catalog and your permissions */
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
  /** List sessions */
  readonly listSessions: {
    readonly request: {
      readonly query?: {
        /** Maximum elements to return. */
        readonly limit?: number;
        /** Elements to skip. */
        readonly offset?: number;
      };
    };
    readonly answer: readonly Session[];
  };
  /** Sign a browser out */
  readonly endSession: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: undefined;
  };
  /** Create a sign-in link */
  readonly createSignInCode: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: SignInCode;
  };
  /** List the sign-in methods of the console */
  readonly listSignInMethods: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: SignInMethods;
  };
  /** Sign this browser out */
  readonly signOut: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: SignedOut;
  };
  /** Sign in as the user of a proxy */
  readonly createProxySession: {
    readonly request: {
      readonly headers?: { readonly 'user-agent'?: string };
    };
    readonly answer: StartedSession;
  };
  /** List the identities of a user */
  readonly listIdentities: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
    };
    readonly answer: readonly Identity[];
  };
  /** Link a user to a provider, or invite the user */
  readonly linkIdentity: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
      };
      readonly body: LinkIdentity;
    };
    readonly answer: Identity;
  };
  /** Unlink a user from a provider */
  readonly unlinkIdentity: {
    readonly request: {
      readonly params: {
        /** ID of the resource. */
        readonly id: string;
        /** ID of the identity. */
        readonly identity: string;
      };
    };
    readonly answer: undefined;
  };
  /** Ask for a personal token */
  readonly startDevice: {
    readonly request: {
      readonly body: StartDevice;
    };
    readonly answer: StartedDevice;
  };
  /** Get the token that the user allowed */
  readonly getDeviceToken: {
    readonly request: {
      readonly body: DeviceCode;
    };
    readonly answer: DeviceToken;
  };
  /** Find the program that shows a code */
  readonly findDevice: {
    readonly request: {
      readonly body: UserCode;
    };
    readonly answer: WaitingDevice;
  };
  /** Allow or deny a program */
  readonly answerDevice: {
    readonly request: {
      readonly body: AnswerDevice;
    };
    readonly answer: undefined;
  };
  /** Exchange a token of a platform */
  readonly exchangeToken: {
    readonly request: {
      readonly body: ExchangeToken;
    };
    readonly answer: ExchangedToken;
  };
  /** Get this API as an OpenAPI 3.1 document */
  readonly getOpenApi: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: Readonly<Record<string, unknown>>;
  };
}

/** Method, path, body and answer format of each operation, and its statuses that are not errors. */
export const routes = {
  ingest: { method: 'POST', path: '/v1/datasets/{dataset}/ingest', body: 'bytes', statuses: [200], answer: 'json' },
  ingestEdge: { method: 'POST', path: '/v1/ingest/{dataset}', body: 'bytes', statuses: [200], answer: 'json' },
  ingestTraces: { method: 'POST', path: '/v1/traces', body: 'bytes', statuses: [200], answer: 'json' },
  ingestLogs: { method: 'POST', path: '/v1/logs', body: 'bytes', statuses: [200], answer: 'json' },
  ingestMetrics: { method: 'POST', path: '/v1/metrics', body: 'bytes', statuses: [200], answer: 'json' },
  queryApl: { method: 'POST', path: '/v1/datasets/_apl', body: 'json', statuses: [200], answer: 'json' },
  queryAplEdge: { method: 'POST', path: '/v1/query/_apl', body: 'json', statuses: [200], answer: 'json' },
  queryAplV2: { method: 'POST', path: '/v2/datasets/_apl', body: 'json', statuses: [200], answer: 'json' },
  queryMpl: { method: 'POST', path: '/v1/query/_mpl', body: 'json', statuses: [200], answer: 'json' },
  queryMetrics: { method: 'POST', path: '/v1/query/_metrics', body: 'json', statuses: [200], answer: 'json' },
  describeMpl: { method: 'OPTIONS', path: '/v1/query/_mpl', body: 'none', statuses: [200], answer: 'bytes' },
  listMetrics: { method: 'GET', path: '/v1/query/metrics/info/datasets/{dataset}/metrics', body: 'none', statuses: [200], answer: 'json' },
  findMetrics: { method: 'POST', path: '/v1/query/metrics/info/datasets/{dataset}/metrics', body: 'json', statuses: [200], answer: 'json' },
  listMetricTags: { method: 'GET', path: '/v1/query/metrics/info/datasets/{dataset}/metrics/{metric}/tags', body: 'none', statuses: [200], answer: 'json' },
  listMetricsTags: { method: 'GET', path: '/v1/query/metrics/info/datasets/{dataset}/tags', body: 'none', statuses: [200], answer: 'json' },
  listMetricTagValues: { method: 'GET', path: '/v1/query/metrics/info/datasets/{dataset}/metrics/{metric}/tags/{tag}/values', body: 'none', statuses: [200], answer: 'json' },
  listMetricsTagValues: { method: 'GET', path: '/v1/query/metrics/info/datasets/{dataset}/tags/{tag}/values', body: 'none', statuses: [200], answer: 'json' },
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
  createOrg: { method: 'POST', path: '/v2/orgs', body: 'json', statuses: [200], answer: 'json' },
  getOrg: { method: 'GET', path: '/v2/orgs/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateOrg: { method: 'PUT', path: '/v2/orgs/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteOrg: { method: 'DELETE', path: '/v2/orgs/{id}', body: 'none', statuses: [204], answer: 'empty' },
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
  acknowledgeMonitor: { method: 'POST', path: '/v2/monitors/{id}/acknowledge', body: 'json', statuses: [200], answer: 'json' },
  getMonitorHistory: { method: 'GET', path: '/v2/monitors/{id}/history', body: 'none', statuses: [200], answer: 'json' },
  listMonitorHistory: { method: 'GET', path: '/api/internal/monitors/history', body: 'none', statuses: [200], answer: 'json' },
  listMonitorRuns: { method: 'GET', path: '/v2/monitors/{id}/runs', body: 'none', statuses: [200], answer: 'json' },
  listIncidents: { method: 'GET', path: '/v2/monitors/_incidents', body: 'none', statuses: [200], answer: 'json' },
  getIncident: { method: 'GET', path: '/v2/monitors/{id}/incidents/{incident}', body: 'none', statuses: [200], answer: 'json' },
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
  testNewNotifier: { method: 'POST', path: '/v2/notifiers/_test', body: 'json', statuses: [200], answer: 'json' },
  previewNotifier: { method: 'POST', path: '/v2/notifiers/_preview', body: 'json', statuses: [200], answer: 'json' },
  listSilences: { method: 'GET', path: '/v2/silences', body: 'none', statuses: [200], answer: 'json' },
  createSilence: { method: 'POST', path: '/v2/silences', body: 'json', statuses: [200], answer: 'json' },
  getSilence: { method: 'GET', path: '/v2/silences/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateSilence: { method: 'PUT', path: '/v2/silences/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteSilence: { method: 'DELETE', path: '/v2/silences/{id}', body: 'none', statuses: [204], answer: 'empty' },
  listSources: { method: 'GET', path: '/v2/sources', body: 'none', statuses: [200], answer: 'json' },
  createSource: { method: 'POST', path: '/v2/sources', body: 'json', statuses: [200], answer: 'json' },
  getSource: { method: 'GET', path: '/v2/sources/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateSource: { method: 'PUT', path: '/v2/sources/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteSource: { method: 'DELETE', path: '/v2/sources/{id}', body: 'none', statuses: [204], answer: 'empty' },
  pauseSource: { method: 'POST', path: '/v2/sources/{id}/pause', body: 'none', statuses: [200], answer: 'json' },
  resumeSource: { method: 'POST', path: '/v2/sources/{id}/resume', body: 'none', statuses: [200], answer: 'json' },
  getSourceStatus: { method: 'GET', path: '/v2/sources/{id}/status', body: 'none', statuses: [200], answer: 'json' },
  listSlos: { method: 'GET', path: '/v2/slos', body: 'none', statuses: [200], answer: 'json' },
  createSlo: { method: 'POST', path: '/v2/slos', body: 'json', statuses: [200], answer: 'json' },
  getSlo: { method: 'GET', path: '/v2/slos/{id}', body: 'none', statuses: [200], answer: 'json' },
  updateSlo: { method: 'PUT', path: '/v2/slos/{id}', body: 'json', statuses: [200], answer: 'json' },
  deleteSlo: { method: 'DELETE', path: '/v2/slos/{id}', body: 'none', statuses: [204], answer: 'empty' },
  getSloBudget: { method: 'GET', path: '/v2/slos/{id}/budget', body: 'none', statuses: [200], answer: 'json' },
  getStatusPage: { method: 'GET', path: '/v2/status-page', body: 'none', statuses: [200], answer: 'json' },
  replaceStatusPage: { method: 'PUT', path: '/v2/status-page', body: 'json', statuses: [200], answer: 'json' },
  getPublicStatus: { method: 'GET', path: '/status.json', body: 'none', statuses: [200], answer: 'json' },
  getNotificationRoutes: { method: 'GET', path: '/v2/notification-routes', body: 'none', statuses: [200], answer: 'json' },
  replaceNotificationRoutes: { method: 'PUT', path: '/v2/notification-routes', body: 'json', statuses: [200], answer: 'json' },
  testNotificationRoutes: { method: 'POST', path: '/v2/notification-routes/test', body: 'json', statuses: [200], answer: 'json' },
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
  listSignInMethods: { method: 'GET', path: '/v2/sign-in-methods', body: 'none', statuses: [200], answer: 'json' },
  signOut: { method: 'POST', path: '/v2/sessions/current/sign-out', body: 'none', statuses: [200], answer: 'json' },
  createProxySession: { method: 'POST', path: '/console/api/session/proxy', body: 'none', statuses: [200], answer: 'json' },
  listIdentities: { method: 'GET', path: '/v2/users/{id}/identities', body: 'none', statuses: [200], answer: 'json' },
  linkIdentity: { method: 'POST', path: '/v2/users/{id}/identities', body: 'json', statuses: [200], answer: 'json' },
  unlinkIdentity: { method: 'DELETE', path: '/v2/users/{id}/identities/{identity}', body: 'none', statuses: [204], answer: 'empty' },
  startDevice: { method: 'POST', path: '/v2/device-codes', body: 'json', statuses: [200], answer: 'json' },
  getDeviceToken: { method: 'POST', path: '/v2/device-codes/token', body: 'json', statuses: [200], answer: 'json' },
  findDevice: { method: 'POST', path: '/v2/device-codes/find', body: 'json', statuses: [200], answer: 'json' },
  answerDevice: { method: 'POST', path: '/v2/device-codes/answer', body: 'json', statuses: [204], answer: 'empty' },
  exchangeToken: { method: 'POST', path: '/v2/token-exchange', body: 'json', statuses: [200], answer: 'json' },
  getOpenApi: { method: 'GET', path: '/openapi.json', body: 'none', statuses: [200], answer: 'json' },
} as const;
