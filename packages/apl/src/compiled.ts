import type { Query, Select } from '@millrace/sql';
import type { JsonValue } from './bind/statements.js';
import type { Catalogue } from './catalogue.js';
import type { Diagnostic } from './diagnostics.js';
import type { ChartHint } from './operators/define.js';
import type { Position, TimeRange } from './plan/nodes.js';
import type { AggregateInfo } from './plan/schema.js';
import type { ScalarType } from './types.js';

/** What a query is compiled with. Times are nanoseconds since the epoch. */
export interface CompileOptions {
  readonly catalogue: Catalogue;
  /** The one moment `now()` and `ago()` mean. */
  readonly now: bigint;
  /** Time range of the request, both ends inclusive; `given` tells which ends the caller really asked for. */
  readonly range: TimeRange & { readonly given: { readonly start: boolean; readonly end: boolean } };
  /** The end of a time range that the query starts and nothing ends; `now` by default, later if the caller waits for the answer. */
  readonly impliedEnd?: bigint;
  readonly variables?: Readonly<Record<string, JsonValue>>;
  /** Most rows of a result of events if the query names no limit. */
  readonly defaultLimit: number;
  /** Most rows of any result. */
  readonly maxLimit: number;
  /** Most buckets that `bin_auto` may make. */
  readonly maxBinAutoGroups: number;
  /** Most columns that `evaluate` may make out of the data; `maxLimit` by default. */
  readonly maxDataColumns?: number;
  /** Answers to what earlier attempts asked (`Asks`), in the order they asked. */
  readonly facts?: readonly Fact[];
  /** Oldest and newest event, if known: `bin_auto` divides only the part of the time range that has events. */
  readonly eventTimes?: TimeRange;
  /** Hosts that `externaldata` may read from, in lower case; none by default. */
  readonly externalHosts?: readonly string[];
  /** Continue after an event: only rows beyond it in the direction of reading. */
  readonly paging?: { readonly after: Position; readonly inclusive: boolean };
  /** Adds `_time`, `_seq` and `_row` of each event as hidden columns at the end. */
  readonly rowIds?: boolean;
  /**
   * `json`: datetimes are RFC 3339 text, dynamic values and values of mixed fields JSON text. `text`: the same, but strings of mixed fields stay
   * as they are. `native`: as `text`, and columns keep the engine's types. `page`: as `json`, but datetime columns keep the engine's type:
   * planning the functions that format them takes longer than reading most pages.
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
  /** As the HTTP interface names it, such as `integer|string`. */
  readonly typeName: string;
  /** Cells are JSON text, to be spliced as they are; null is null. */
  readonly json: boolean;
  readonly agg?: AggregateInfo;
}

/** How an answer is to be shown. */
export interface Presentation {
  readonly kind: 'events' | 'aggregation' | 'timeseries';
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly string[];
  /** Present for a time series. */
  readonly bucket?: { readonly field: string; readonly size: bigint };
  /** What the answer covers. For a time series it is extended outward to whole buckets, and `end` is exclusive. */
  readonly range: TimeRange;
}

export interface Totals {
  readonly query: Query;
  readonly output: readonly OutputColumn[];
  readonly order: Presentation['order'];
  /** Present if one statement can give the answer and the totals. */
  readonly together?: Together;
}

/**
 * One statement for an answer and its totals. It has the columns of the answer, which include those of the totals, and one more that is 1 in
 * rows of totals, which come first, and 0 in rows of the answer. Neither is cut by a limit.
 */
export interface Together {
  readonly query: Select;
  /** If there are more rows than this, or the engine refuses to make that many groups, answer and totals need a statement each. */
  readonly most: number;
}

/** How to find out how many rows a query looks at. */
export interface Counts {
  /** One query for each time a dataset is read: its rows in the time range, as `count@`. */
  readonly examined: readonly Select[];
  /** How many of them the filters before any aggregation keep. */
  readonly matched:
    | { readonly kind: 'all' }
    /** As many as the answer aggregates; the engine reports that number with it. */
    | { readonly kind: 'aggregated' }
    /** One number. */
    | { readonly kind: 'query'; readonly query: Query };
}

/** A query ready for the engine. */
export interface Compiled {
  readonly kind: 'compiled';
  readonly query: Select;
  readonly output: readonly OutputColumn[];
  /** Columns after the visible ones: the parts of each event's row id. Present if asked for and rows are events. */
  readonly rowId?: { readonly time: string; readonly seq: string; readonly row: string };
  /** A column between the visible ones and those of the row id: an object with the rare fields of each event, as JSON text. */
  readonly rest?: string;
  readonly presentation: Presentation;
  /** Which events follow the last row, beyond a limit; absent where rows are not events in the order of their time, so that no cursor continues them. */
  readonly continuation?: 'older' | 'newer';
  /** The `_totals` table of a time series. */
  readonly totals?: Totals;
  readonly counts?: Counts;
  /** Datasets read, by name. */
  readonly datasets: readonly string[];
  /** The time range after the query's own conditions on `_time`. */
  readonly timeRange: TimeRange;
  /** Warnings and hints. */
  readonly diagnostics: readonly Diagnostic[];
  /** The row limit set here because the query has none, or a higher one than allowed; if that many rows came, there may be more. */
  readonly limitApplied?: { readonly limit: number; readonly reason: 'default' | 'maximum' };
  readonly chart?: ChartHint;
}

/** Rows of texts that the data gave in answer to a question. */
export type Fact = readonly (readonly string[])[];

/**
 * The columns of the query depend on the data. The caller runs the question with the rights and limits of the query itself,
 * appends the answer to `facts` and compiles again. All columns of a question are texts.
 */
export interface Asks {
  readonly kind: 'asks';
  readonly question: Compiled;
}

/** The diagnostics say why; at least one is an error. */
export interface Failed {
  readonly kind: 'failed';
  readonly diagnostics: readonly Diagnostic[];
}
