import { eachRowOperators, looksAtEachRow, parse } from '@millrace/apl';
import { isAllowed, type Principal } from '@millrace/http/access/authorize';
import type { RequiredPermission } from '@millrace/http/access/authorize';
import { auditDataset } from '@millrace/metadata/dataset-names';
import type { Metadata } from '@millrace/metadata/metadata';
import { catalogFor } from '@millrace/query/compile/catalog';
import { askerOf, checkOptions } from '@millrace/query/check-stored';
import { checkMpl } from '@millrace/query/mpl/check-mpl';
import { queryError } from '@millrace/query/compile/query-error';
import type { QueryService } from '@millrace/query/service';
import type { Reads } from '@millrace/api/schemas/monitor';
import { anomaliesNeedSeries } from './evaluate/anomaly.js';
import { type MonitorDraft, errorAt } from './monitor.js';

/** Checks of a monitor's query before the monitor is stored. */

/**
 * Compiles the query with the permissions of the user who writes the monitor. A field that no event
 * has reads as null and is not an error.
 * @throws HttpError `invalid-query`, `invalid-request`, with line and column; `forbidden`
 */
export async function checkQuery(draft: MonitorDraft, principal: Principal, service: QueryService): Promise<void> {
  const { aplQuery, type } = draft;
  if (draft.language === 'mpl') {
    if (type === 'MatchEvent')
      throw errorAt('mplQuery', aplQuery, 0, 'monitors of matching events read events; use a Threshold monitor');
    return checkMpl(aplQuery, Date.now());
  }
  const max = service.settings.maxFollowedCharacters;
  if (type === 'MatchEvent' && aplQuery.length > max)
    throw errorAt(
      'aplQuery',
      aplQuery,
      0,
      `a monitor of matching events takes at most ${max} characters, and this has ${aplQuery.length}`,
    );
  const catalog = await catalogFor({ may: (need) => isAllowed(principal, need) }, service);
  const source = { kind: 'text', text: aplQuery } as const;
  const compiled = await service.compilers.compile(source, checkOptions(catalog, service), askerOf(principal));
  if (compiled.kind === 'failed') throw queryError(aplQuery, compiled.diagnostics);
  if (type === 'MatchEvent') requireEvents(aplQuery);
  if (type === 'AnomalyDetection' && compiled.kind === 'compiled' && compiled.presentation.bucket === undefined)
    throw errorAt('aplQuery', aplQuery, aplQuery.length, anomaliesNeedSeries);
}

function requireEvents(text: string): void {
  const { query } = parse(text).program;
  if (query === undefined) return;
  const { source, operators } = query;
  if (source.kind !== 'table')
    throw errorAt('aplQuery', text, source.span.start, 'a monitor of matching events reads one dataset by its name');
  const other = operators.find(({ kind }) => !looksAtEachRow(kind));
  if (other !== undefined)
    throw errorAt(
      'aplQuery',
      text,
      other.span.start,
      `'${other.kind}' is not allowed in match monitors; allowed operators: ${eachRowOperators.join(', ')}`,
    );
}

/** Current read permissions of a caller, stored for runs, which have no caller. */
export async function readsOf(principal: Principal, { datasets, views }: Metadata): Promise<Reads> {
  const may =
    (scope: 'dataset' | 'view') =>
    (name: string): boolean =>
      isAllowed(principal, { scope, name, resource: 'query', action: 'read' });
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

/** Whether the stored read permissions of a run satisfy a need. */
export const mayRead =
  (reads: Reads) =>
  (need: RequiredPermission): boolean => {
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
