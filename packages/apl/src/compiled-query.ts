import type { Query, Select } from '@millrace/sql';
import type { JsonValue } from './bind/statements.js';
import type { Catalog } from './model/catalog.js';
import type { Diagnostic } from './model/diagnostics.js';
import type { Need } from './model/needs.js';
import type { ChartHint } from './operators/define.js';
import type { Position, TimeRange } from './plan/nodes.js';
import type { AggregateInfo } from './plan/schema.js';
import type { ScalarType } from './model/types.js';

/** Compile options. Times are nanoseconds since the epoch. */
export interface CompileOptions {
  readonly catalog: Catalog;
  /** The moment that `now()` and `ago()` refer to. */
  readonly now: bigint;
  /**
   * Time range of the request, both ends inclusive; `given` tells which ends the caller supplied.
   */
  readonly range: TimeRange & { readonly given: { readonly start: boolean; readonly end: boolean } };
  /**
   * The end of the time range if the query has only a start; `now` by default, later if the caller
   * waits for results.
   */
  readonly impliedEnd?: bigint;
  readonly variables?: Readonly<Record<string, JsonValue>>;
  /** The order of events if the query does not say which. */
  readonly defaultOrder?: readonly { readonly field: string; readonly desc?: boolean }[];
  /** The most rows of a result of events if the query has no limit. */
  readonly defaultLimit: number;
  /** The most rows of any result. */
  readonly maxLimit: number;
  /** The most buckets that `bin_auto` may make. */
  readonly maxBinAutoGroups: number;
  /** The most columns that `evaluate` may make out of the data; `maxLimit` by default. */
  readonly maxDataColumns?: number;
  /** Results of the lookups of earlier attempts (`Asks`), in order. */
  readonly facts?: readonly LookupResult[];
  /**
   * Oldest and newest event, if known: `bin_auto` divides only the part of the time range that has
   * events. With `ask`, a query that needs them returns `PendingTimeRange`.
   */
  readonly eventTimes?: TimeRange | 'ask';
  /**
   * Hosts that `externaldata` may read from, each for all of its ports or as `host:port`; none by
   * default.
   */
  readonly externalHosts?: readonly string[];
  /** Files at the addresses that an earlier attempt requested (`Reads`). */
  readonly files?: ReadonlyMap<string, ExternalFile>;
  /** Continues after an event: only rows beyond it in the direction of reading. */
  readonly paging?: { readonly after: Position; readonly inclusive: boolean };
  /** Adds `_time`, `_seq` and `_row` of each event as hidden columns at the end. */
  readonly rowIds?: boolean;
  /**
   * The caller may continue after any row, so rows of equal times stay in the order of cursors
   * (`Compiled.tiesAsSent`).
   */
  readonly continuesAfterRows?: boolean;
  /**
   * With `rowIds`: also adds `_sysTime`, before these, if the result has no column `_sysTime` with
   * the ingest time.
   */
  readonly arrivals?: boolean;
  /**
   * `json`: datetimes are RFC 3339 text, dynamic values and values of mixed fields JSON text.
   * `text`: like `json`, but strings of mixed fields stay unquoted. `native`: like `text`, but
   * columns keep the engine's types. `page`: like `json`, but datetime columns keep the engine's
   * type: planning the functions that format them takes longer than reading most pages.
   */
  readonly output?: 'json' | 'text' | 'native' | 'page';
}

/** A column of the result. */
export interface OutputColumn {
  readonly name: string;
  /** Its name in the SQL, unique. */
  readonly alias: string;
  /** More than one: a mixed field. */
  readonly types: readonly ScalarType[];
  /** The type as the HTTP interface names it, such as `integer|string`. */
  readonly typeName: string;
  /** Whether cells are JSON text, to be spliced into the response; null is null. */
  readonly json: boolean;
  readonly agg?: AggregateInfo;
}

/** The column of rare fields, which the caller takes apart. */
export interface RestOutput {
  readonly alias: string;
  /**
   * The description of an aggregate over them, without the field itself, which is the last of the
   * fields.
   */
  readonly agg?: AggregateInfo;
  /** Whether rows are grouped by them. */
  readonly isGroup?: boolean;
}

/** How to display a result. */
export interface Presentation {
  readonly kind: 'events' | 'aggregation' | 'timeseries';
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly string[];
  /** Present for a time series. */
  readonly bucket?: { readonly field: string; readonly size: bigint };
  /**
   * The time range of the result. For a time series it is extended outward to whole buckets, and
   * `end` is exclusive.
   */
  readonly range: TimeRange;
}

export interface Totals {
  readonly query: Query;
  readonly output: readonly OutputColumn[];
  readonly rest?: RestOutput;
  readonly order: Presentation['order'];
  /** Present if one statement can return the result and the totals. */
  readonly together?: Together;
}

/**
 * One statement for a result and its totals. It has the columns of the result, which include those
 * of the totals, and an additional one that is 1 in rows of totals, which come first, and 0 in rows
 * of the result. Neither is truncated by a limit.
 */
export interface Together {
  readonly query: Select;
  /**
   * With more rows than this, or if the engine rejects so many groups, the result and the totals
   * need separate statements.
   */
  readonly max: number;
}

/** Queries that count the rows that a query reads. */
export interface Counts {
  /** One query for each time a dataset is read: its rows in the time range, as `count@`. */
  readonly examined: readonly Select[];
  /** How many of them the filters before any aggregation keep. */
  readonly matched:
    | { readonly kind: 'all' }
    /** The rows that the result aggregates; the engine reports their number with it. */
    | { readonly kind: 'aggregated' }
    /** A query for the number. */
    | { readonly kind: 'query'; readonly query: Query };
}

/** A query ready for the engine. */
export interface CompiledQuery {
  readonly kind: 'compiled';
  /** Correct under the engine's base settings: `join_use_nulls`, and the JSON output settings. */
  readonly query: Select;
  readonly output: readonly OutputColumn[];
  /**
   * Columns after the visible ones: the parts of each event's row ID. Present if requested and rows
   * are events.
   */
  readonly rowId?: { readonly time: string; readonly seq: string; readonly row: string };
  /**
   * A column before those of the row ID: when each event arrived. Present if requested and no
   * visible column has it.
   */
  readonly arrival?: string;
  /**
   * A column between the visible ones and the other hidden ones: an object with the rare fields of
   * each row, as JSON text.
   */
  readonly rest?: RestOutput;
  readonly presentation: Presentation;
  /**
   * Whether older or newer events follow the last row; absent if the rows are not events in order
   * of time, which no cursor can continue.
   */
  readonly continuation?: 'older' | 'newer';
  /**
   * Whether the query names no order and its rows do not depend on it: the newest events come
   * first, and the caller puts those of equal times in the order sent. The SQL has them the other
   * way round, as the engine reads them.
   */
  readonly tiesAsSent?: boolean;
  /** The `_totals` table of a time series. */
  readonly totals?: Totals;
  readonly counts?: Counts;
  /**
   * Queries that each find a string with the day before the month among the strings that the query
   * reads as times with the month first; see `dayFirstMessage`.
   */
  readonly dayFirst?: readonly Select[];
  /** Datasets read, by name. */
  readonly datasets: readonly string[];
  /** What the result depends on in addition to the query text, the options and the catalog. */
  readonly needs: ReadonlySet<Need>;
  /** The time range after the query's own conditions on `_time`. */
  readonly timeRange: TimeRange;
  /** Warnings and hints. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The row limit set here because the query has none, or a higher one than allowed; if the result
   * has that many rows, there may be more.
   */
  readonly limitApplied?: LimitApplied;
  readonly chart?: ChartHint;
}

/** Message for the author of a query that reads such a string. */
export const dayFirstMessage = (text: string): string =>
  `texts such as '${text.replace(/^"/, '').slice(0, 10)}' put the day first and are no time: where both numbers could be a month, as in 1/2/2024, the month was read first; ` +
  "if days come first, turn them round: todatetime(replace_regex(@'^(\\d+)/(\\d+)/', '$2/$1/', text))";

export interface LimitApplied {
  readonly limit: number;
  readonly reason: 'default' | 'maximum';
  /**
   * Whether, without the limit, there is one row per matching event; then the number of matches
   * tells whether the limit dropped any.
   */
  readonly rowPerMatch: boolean;
}

/** Result of a lookup in the data: rows of texts. */
export type LookupResult = readonly (readonly string[])[];

/**
 * The columns of the query depend on the data. The caller runs the lookup with the permissions and
 * limits of the query itself, appends the result to `facts` and compiles again. All columns of a
 * lookup are texts.
 */
export interface PendingLookup {
  readonly kind: 'asks';
  readonly question: CompiledQuery;
}

/**
 * The text of a file whose address is in the query, or the reason why it could not be read, for the
 * author of the query.
 */
export type ExternalFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unread'; readonly problem: string };

/**
 * The query reads external files. The caller fetches exactly these addresses without following
 * redirects, adds the results to `files` and compiles again.
 */
export interface Reads {
  readonly kind: 'reads';
  readonly addresses: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The query depends on the times of events. The caller finds the oldest and the newest of the
 * datasets and compiles again with `eventTimes`.
 */
export interface PendingTimeRange {
  readonly kind: 'times';
  readonly datasets: readonly string[];
  /** The needs of the query that are known so far. */
  readonly needs: ReadonlySet<Need>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A lookup needed before a query can be compiled. */
export type CompileRequest = PendingLookup | Reads | PendingTimeRange;

/** The diagnostics say why; at least one is an error. */
export interface CompileFailure {
  readonly kind: 'failed';
  readonly diagnostics: readonly Diagnostic[];
}
