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
  /** Where a range ends that the query begins and nobody ends; `now` unless told. Later where an answer is waited for. */
  readonly impliedEnd?: bigint;
  readonly variables?: Readonly<Record<string, JsonValue>>;
  /** Rows of a result of events that names no limit. */
  readonly defaultLimit: number;
  /** Rows of any result. */
  readonly maxLimit: number;
  /** Buckets that `bin_auto` may give. */
  readonly maxBinAutoGroups: number;
  /** Columns that `evaluate` may make of what the data holds; as many as rows unless told. */
  readonly maxDataColumns?: number;
  /** Answers to what earlier attempts asked (`Asks`), in the order they asked. */
  readonly facts?: readonly Fact[];
  /** Oldest and newest event, if known: `bin_auto` divides what of the time range has events. */
  readonly eventTimes?: TimeRange;
  /** Hosts that `externaldata` may read from, in lower case; none unless told. */
  readonly externalHosts?: readonly string[];
  /** Continue after an event: only rows beyond it in the direction of reading. */
  readonly paging?: { readonly after: Position; readonly inclusive: boolean };
  /** Adds `_time`, `_seq` and `_row` of each event as hidden columns at the end. */
  readonly rowIds?: boolean;
  /**
   * `json`: datetimes are RFC 3339 text, dynamic values and those of mixed fields JSON text. `text`: the same, but strings of mixed fields are
   * themselves. `native`: as `text`, and columns keep the engine's types. `page`: as `json`, but columns of datetimes keep the engine's type:
   * how its text is made of functions takes longer to plan than most pages to read.
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
  /** Of a time series. */
  readonly bucket?: { readonly field: string; readonly size: bigint };
  /** What the answer covers; of a time series snapped outward to its buckets, `end` exclusive then. */
  readonly range: TimeRange;
}

export interface Totals {
  readonly query: Query;
  readonly output: readonly OutputColumn[];
  readonly order: Presentation['order'];
  /** Where the engine can tell them with the answer itself. */
  readonly together?: Together;
}

/**
 * One statement for an answer and its totals: the columns of the answer, of which those of the totals are some, and one that is 1 in rows of
 * totals, which come first, and 0 in those of the answer. Both sets have all rows that match.
 */
export interface Together {
  readonly query: Select;
  /** With more rows than these, or if the engine refuses to make that many groups, both have to be asked apart. */
  readonly most: number;
}

/** How to find out how many rows a query looks at. */
export interface Counts {
  /** Of each dataset, as often as it is read: rows in the time range, as `count@`. */
  readonly examined: readonly Select[];
  /** Those of them that the filters before any aggregation keep. */
  readonly matched:
    | { readonly kind: 'all' }
    /** As many as are aggregated for the answer, which the engine tells beside it. */
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
  /** The limit put on rows because the query named none; rows may have been cut if as many came. */
  readonly limitApplied?: { readonly limit: number; readonly reason: 'default' | 'maximum' };
  readonly chart?: ChartHint;
}

/** Rows of texts that the data gave in answer to a question. */
export type Fact = readonly (readonly string[])[];

/**
 * The columns of a query depend on what the data holds. Whoever compiles runs the question with the rights and limits of the
 * query itself and compiles again, the answer put behind the facts there are. All columns of a question are texts.
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
