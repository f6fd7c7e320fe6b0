import { eachRowOperators, looksAtEachRow, parse } from '@millrace/apl';
import { allowed, type Principal } from '../access/allowed.js';
import type { Need } from '../access/allowed.js';
import { auditDataset } from '../metadata/dataset-names.js';
import type { Metadata } from '../metadata/metadata.js';
import { catalogueFor } from '../query/compile/catalogue.js';
import { askerOf, checkOptions } from '../query/check-stored.js';
import { queryError } from '../query/compile/query-error.js';
import type { QueryService } from '../query/service.js';
import type { Reads } from '../schemas/monitor.js';
import { type MonitorDraft, mistakeAt } from './monitor.js';

/** What is checked of a monitor's query before it is kept. */

/**
 * Compiles the query with the rights of whoever writes the monitor. A field that no event has had
 * reads as null, and so is no mistake.
 * @throws HttpError `invalid-query`, `invalid-request`, with line and column; `forbidden`
 */
export async function checkQuery(draft: MonitorDraft, principal: Principal, service: QueryService): Promise<void> {
  if (draft.language === 'mpl') return;
  const { aplQuery, type } = draft;
  const most = service.settings.maxFollowedCharacters;
  if (type === 'MatchEvent' && aplQuery.length > most)
    throw mistakeAt(
      'aplQuery',
      aplQuery,
      0,
      `a monitor of matching events takes at most ${most} characters, and this has ${aplQuery.length}`,
    );
  const catalogue = await catalogueFor({ may: (need) => allowed(principal, need) }, service);
  const source = { kind: 'text', text: aplQuery } as const;
  const compiled = await service.compilers.compile(source, checkOptions(catalogue, service), askerOf(principal));
  if (compiled.kind === 'failed') throw queryError(aplQuery, compiled.diagnostics);
  if (type === 'MatchEvent') requireEvents(aplQuery);
}

function requireEvents(text: string): void {
  const { query } = parse(text).program;
  if (query === undefined) return;
  const { source, operators } = query;
  if (source.kind !== 'table')
    throw mistakeAt('aplQuery', text, source.span.start, 'a monitor of matching events reads one dataset by its name');
  const other = operators.find(({ kind }) => !looksAtEachRow(kind));
  if (other !== undefined)
    throw mistakeAt(
      'aplQuery',
      text,
      other.span.start,
      `'${other.kind}' looks at several events at once; a monitor of matching events may use ${eachRowOperators.join(', ')}`,
    );
}

/** What a caller may read at the moment, for runs that have no caller. */
export async function readsOf(principal: Principal, { datasets, views }: Metadata): Promise<Reads> {
  const may =
    (scope: 'dataset' | 'view') =>
    (name: string): boolean =>
      allowed(principal, { scope, name, resource: 'query', action: 'read' });
  const audit = may('dataset')(auditDataset);
  // No dataset or view has this name: only a right on all of them covers it.
  if (may('dataset')('*') && may('view')('*')) return { all: true, audit, datasets: [], views: [] };
  const names = datasets.list().map(({ name }) => name);
  return {
    all: false,
    audit,
    datasets: names.filter((name) => name !== auditDataset).filter(may('dataset')),
    views: (await views.list()).map(({ name }) => name).filter(may('view')),
  };
}

/** Whether a run may do what a query needs. */
export const mayRead =
  (reads: Reads) =>
  (need: Need): boolean => {
    switch (need.scope) {
      case 'dataset':
        if (need.resource !== 'query' || need.name === undefined) return false;
        return need.name === auditDataset ? reads.audit : reads.all || reads.datasets.includes(need.name);
      case 'view':
        if (need.resource !== 'query' || need.name === undefined) return false;
        return reads.all || reads.views.includes(need.name);
      default:
        return false;
    }
  };
