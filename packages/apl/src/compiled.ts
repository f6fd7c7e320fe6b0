import type { Query, Select } from '@millrace/sql';
import type { JsonValue } from './bind/statements.js';
import type { Catalogue } from './catalogue.js';
import type { Diagnostic } from './diagnostics.js';
import type { Need } from './needs.js';
import type { ChartHint } from './operators/define.js';
import type { Position, TimeRange } from './plan/nodes.js';
import type { AggregateInfo } from './plan/schema.js';
import type { ScalarType } from './types.js';

/** What a query is compiled with. Times are nanoseconds since the epoch. */
export interface CompileOptions {
  readonly catalogue: Catalogue;
  /** The moment that `now()` and `ago()` refer to. */
  readonly now: bigint;
  /**
   * Time range of the request, both ends inclusive; `given` tells which ends the caller asked for.
   */
  readonly range: TimeRange & { readonly given: { readonly start: boolean; readonly end: boolean } };
  /**
   * The end of the time range if the query gives only its start; `now` by default, later if the
   * caller waits for the answer.
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
  /** The answers to the questions of earlier attempts (`Asks`), in the order asked. */
  readonly facts?: readonly Fact[];
  /**
   * Oldest and newest event, if known: `bin_auto` divides only the part of the time range that has
   * events. With `ask` a query that needs them asks for them (`AsksTimes`).
   */
  readonly eventTimes?: TimeRange | 'ask';
  /**
   * Hosts that `externaldata` may read from, each for all of its ports or as `host:port`; none by
   * default.
   */
  readonly externalHosts?: readonly string[];
  /** What was read from the addresses that an earlier attempt asked for (`Reads`). */
  readonly files?: ReadonlyMap<string, ExternalFile>;
  /** Continues after an event: only rows beyond it in the direction of reading. */
  readonly paging?: { readonly after: Position; readonly inclusive: boolean };
  /** Adds `_time`, `_seq` and `_row` of each event as hidden columns at the end. */
  readonly rowIds?: boolean;
  /**
   * With `rowIds`: also adds `_sysTime`, before these, if the answer has no column `_sysTime` that
   * is the time of arrival.
   */
  readonly arrivals?: boolean;
  /**
   * `json`: datetimes are RFC 3339 text, dynamic values and values of mixed fields JSON text.
   * `text`: the same, but strings of mixed fields stay as they are. `native`: as `text`, and
   * columns keep the engine's types. `page`: as `json`, but datetime columns keep the engine's
   * type: planning the functions that format them takes longer than reading most pages.
   */
  readonly output?: 'json' | 'text' | 'native' | 'page';
}

/** A column of the answer. */
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
  /** How each of them is described, but for the field itself, which comes last among the fields. */
  readonly agg?: AggregateInfo;
  /** Whether rows are grouped by them. */
  readonly isGroup?: boolean;
}

/** How an answer should be shown. */
export interface Presentation {
  readonly kind: 'events' | 'aggregation' | 'timeseries';
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly string[];
  /** Present for a time series. */
  readonly bucket?: { readonly field: string; readonly size: bigint };
  /**
   * The time range of the answer. For a time series it is extended outward to whole buckets, and
   * `end` is exclusive.
   */
  readonly range: TimeRange;
}

export interface Totals {
  readonly query: Query;
  readonly output: readonly OutputColumn[];
  readonly rest?: RestOutput;
  readonly order: Presentation['order'];
  /** Present if one statement can give the answer and the totals. */
  readonly together?: Together;
}

/**
 * One statement for an answer and its totals. It has the columns of the answer, which include those
 * of the totals, and one more that is 1 in rows of totals, which come first, and 0 in rows of the
 * answer. Neither is cut by a limit.
 */
export interface Together {
  readonly query: Select;
  /**
   * If there are more rows than this, or the engine refuses to make that many groups, answer and
   * totals need separate statements.
   */
  readonly most: number;
}

/** Queries that count the rows a query looks at. */
export interface Counts {
  /** One query for each time a dataset is read: its rows in the time range, as `count@`. */
  readonly examined: readonly Select[];
  /** How many of them the filters before any aggregation keep. */
  readonly matched:
    | { readonly kind: 'all' }
    /** The rows that the answer aggregates; the engine reports their number with it. */
    | { readonly kind: 'aggregated' }
    /** A query for the number. */
    | { readonly kind: 'query'; readonly query: Query };
}

/** A query ready for the engine. */
export interface Compiled {
  readonly kind: 'compiled';
  /**
   * Means what it should where the engine's base settings hold: `join_use_nulls`, and how JSON is
   * written.
   */
  readonly query: Select;
  readonly output: readonly OutputColumn[];
  /**
   * Columns after the visible ones: the parts of each event's row id. Present if asked for and rows
   * are events.
   */
  readonly rowId?: { readonly time: string; readonly seq: string; readonly row: string };
  /**
   * A column before those of the row id: when each event arrived. Present if asked for, and no
   * visible column tells.
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
  /** The `_totals` table of a time series. */
  readonly totals?: Totals;
  readonly counts?: Counts;
  /**
   * Each finds a text that puts the day before the month, among those that the query reads as times
   * with the month first; see `dayFirstMessage`.
   */
  readonly dayFirst?: readonly Select[];
  /** Datasets read, by name. */
  readonly datasets: readonly string[];
  /** What the answer depends on besides. */
  readonly needs: ReadonlySet<Need>;
  /** The time range after the query's own conditions on `_time`. */
  readonly timeRange: TimeRange;
  /** Warnings and hints. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The row limit set here because the query has none, or a higher one than allowed; if the answer
   * has that many rows, there may be more.
   */
  readonly limitApplied?: LimitApplied;
  readonly chart?: ChartHint;
}

/** What to tell whoever asked, if there is such a text. */
export const dayFirstMessage = (text: string): string =>
  `texts such as '${text.replace(/^"/, '').slice(0, 10)}' put the day first and are no time: where both numbers could be a month, as in 1/2/2024, the month was read first; ` +
  "if days come first, turn them round: todatetime(replace_regex(@'^(\\d+)/(\\d+)/', '$2/$1/', text))";

export interface LimitApplied {
  readonly limit: number;
  readonly reason: 'default' | 'maximum';
  /**
   * Without the limit there would be a row for each event that matches; then their number tells
   * whether the limit left any out.
   */
  readonly rowPerMatch: boolean;
}

/** The answer of the data to a question: rows of texts. */
export type Fact = readonly (readonly string[])[];

/**
 * The columns of the query depend on the data. The caller runs the question with the rights and
 * limits of the query itself, appends the answer to `facts` and compiles again. All columns of a
 * question are texts.
 */
export interface Asks {
  readonly kind: 'asks';
  readonly question: Compiled;
}

/** The text of a file, or why there is none, for whoever wrote its address into a query. */
export type ExternalFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unread'; readonly problem: string };

/**
 * The query reads files from elsewhere. The caller fetches the addresses, exactly as they are and
 * following none to another one, adds what it finds to `files` and compiles again.
 */
export interface Reads {
  readonly kind: 'reads';
  readonly addresses: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What the query asks for depends on when events are. The caller finds the oldest and the newest of
 * the datasets and compiles again with `eventTimes`.
 */
export interface AsksTimes {
  readonly kind: 'times';
  readonly datasets: readonly string[];
  /** What is known so far of what the query needs. */
  readonly needs: ReadonlySet<Need>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What has to be known before a query can be compiled. */
export type Question = Asks | Reads | AsksTimes;

/** The diagnostics say why; at least one is an error. */
export interface Failed {
  readonly kind: 'failed';
  readonly diagnostics: readonly Diagnostic[];
}
