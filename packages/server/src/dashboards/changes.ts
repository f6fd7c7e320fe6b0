import { httpError } from '../errors.js';
import { checkBody } from '../http/validation/validate.js';
import type { DashboardContent, DashboardRecord } from '../metadata/dashboards.js';
import { DashboardDocument } from '../schemas/dashboard.js';
import { checkDocument, keptText, ownerOf } from './document.js';
import { arrayOf, itemsOf, membersOf, mergePatched, objectOf } from './json-text.js';

/** Who writes a dashboard. */
export interface Author {
  readonly userId: string;
  /** Whether dashboards of others may be given away and taken. */
  readonly manages: boolean;
}

/**
 * What a request makes of a dashboard.
 * @param text the document as it was sent
 * @throws HttpError `invalid-dashboard`, `protected-resource`
 */
export function contentOf(
  document: DashboardDocument,
  text: string,
  {
    present,
    author,
    message = '',
    most,
  }: {
    readonly present: DashboardRecord | undefined;
    readonly author: Author;
    readonly message?: string | undefined;
    readonly most: number;
  },
): DashboardContent {
  const owner = ownerOf(document);
  checkOwner(owner, present, author);
  const kept = keptText(text, owner);
  checkDocument(document, Buffer.byteLength(kept), most);
  return { owner, name: document.name, document: kept, message };
}

function checkOwner(owner: string, present: DashboardRecord | undefined, { userId, manages }: Author): void {
  if (owner === present?.owner || manages) return;
  const mine = present === undefined || present.owner === userId || present.createdBy === userId;
  if (!mine) throw httpError('protected-resource', { reason: 'only who made a dashboard may decide whose it is' });
  if (owner.startsWith('usr_') && owner !== userId)
    throw httpError('protected-resource', { reason: 'creating private dashboards for somebody else' });
}

/**
 * A document with one of its charts changed by a merge patch.
 * @param patch as text
 * @throws HttpError `not-found` when there is no such chart, `invalid-dashboard` when the id would
 * change, or the result is no document
 */
export function withChart(
  document: string,
  chart: string,
  patch: string,
): { readonly text: string; readonly parsed: DashboardDocument } {
  const members = new Map(membersOf(document));
  const charts = itemsOf(members.get('charts') ?? '[]');
  const at = charts.findIndex((text) => idOf(text) === chart);
  if (at < 0) throw httpError('not-found', { kind: 'chart', name: chart });
  const changed = mergePatched(charts[at], patch);
  if (idOf(changed) !== chart)
    throw httpError('invalid-dashboard', {
      problem: `the chart's id is '${chart}' in the path, and cannot change; leave it out of the patch`,
    });
  const text = objectOf(members.set('charts', arrayOf(charts.with(at, changed))));
  return { text, parsed: checkBody(DashboardDocument, JSON.parse(text), 'invalid-dashboard') as DashboardDocument };
}

function idOf(chart: string): unknown {
  const { id } = JSON.parse(chart) as { readonly id?: unknown };
  return id;
}
