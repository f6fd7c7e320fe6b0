import type { Catalog, CompileOptions } from '@millrace/apl';
import type { Settings } from '@millrace/http/settings/settings';
import type { AplRequest, RequestedBounds } from './request.js';

/** Compile options of queries. */

/** The most bins that `bin_auto` makes, unless the request says how many. */
const defaultBinAutoGroups = 300;

/** Limits and options of every query, unless its request overrides them. */
export const optionsOfSettings = (settings: Settings) => ({
  defaultLimit: settings.defaultQueryLimit,
  maxLimit: settings.maxQueryLimit,
  maxBinAutoGroups: defaultBinAutoGroups,
  maxDataColumns: settings.maxDataColumns,
  externalHosts: settings.externalDataHosts,
});

interface Moment {
  readonly catalog: Catalog;
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
  /**
   * For a long-polled request, the time of the attempt, so that it sees events that arrived after
   * the request; otherwise `now`.
   */
  readonly impliedEnd?: bigint;
  readonly settings: Settings;
}

/** The options of a request of either form. */
export const optionsOf = (
  { range, cursor }: RequestedBounds,
  { catalog, now, impliedEnd, settings }: Moment,
): CompileOptions => ({
  catalog,
  now,
  range,
  ...(impliedEnd !== undefined && { impliedEnd }),
  ...optionsOfSettings(settings),
  rowIds: true,
  output: 'page',
  ...(cursor !== undefined && { paging: { after: cursor.place, inclusive: cursor.inclusive } }),
});

/** The options of a request in APL. */
export const aplOptionsOf = (request: AplRequest, moment: Moment): CompileOptions => ({
  ...optionsOf(request, moment),
  variables: request.variables,
  ...(request.cursorField && { continuesAfterRows: true }),
  defaultOrder: request.defaultOrder,
  defaultLimit: Math.min(request.defaultLimit ?? moment.settings.defaultQueryLimit, moment.settings.maxQueryLimit),
  ...(request.maxBinAutoGroups !== undefined && { maxBinAutoGroups: request.maxBinAutoGroups }),
});
