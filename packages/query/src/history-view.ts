import type { Catalog } from '@millrace/apl';
import type { Principal } from '@millrace/http/access/authorize';
import type { History, HistoryEntry } from './history.js';

/**
 * The query history as a table, which Axiom clients query. A dataset or view of this name takes
 * precedence.
 */
const historyTable = 'axiom-history';

/** Queries that the table holds at most, the newest: a query has to be compiled with them in it. */
const maxRows = 1000;
const maxBytes = 256 * 1024;

/** The catalog with that table, which contains the entries of the history route. */
export function addHistory(catalog: Catalog, reader: Principal | undefined, history: History): Catalog {
  if (reader === undefined) return catalog;
  let text: string | undefined;
  return {
    ...catalog,
    view: (name) =>
      catalog.view?.(name) ??
      (name === historyTable && catalog.dataset(name) === undefined
        ? (text ??= tableOf(history.list(reader)))
        : undefined),
  };
}

/** A table that the language reads. */
function tableOf(entries: readonly HistoryEntry[]): string {
  let bytes = 0;
  const rows = entries.slice(0, maxRows).flatMap((entry) => {
    bytes += entry.query.length;
    return bytes > maxBytes ? [] : [rowOf(entry)];
  });
  return `datatable(_time: datetime, created: datetime, id: string, kind: string, dataset: string, who: string,
  ['query.apl']: string, ['query.startTime']: string, ['query.endTime']: string)[${rows.join(',\n')}]`;
}

function rowOf({ id, kind, created, dataset, who, query }: HistoryEntry): string {
  const body = JSON.parse(query) as Readonly<Record<string, unknown>>;
  const time = `datetime(${created})`;
  const texts = [id, kind, dataset, who, body['apl'], body['startTime'], body['endTime']];
  return [time, time, ...texts.map((text) => (typeof text === 'string' ? JSON.stringify(text) : 'string(null)'))].join(
    ', ',
  );
}
