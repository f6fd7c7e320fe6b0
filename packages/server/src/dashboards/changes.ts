import { httpError } from '@millrace/api/errors';
import { checkBody } from '@millrace/http/validation/validate';
import type { DashboardContent, DashboardRecord } from '@millrace/metadata/dashboards';
import { DashboardDocument } from '@millrace/api/schemas/dashboard';
import { checkDocument, storedText } from './document.js';
import { arrayOf, itemsOf, membersOf, mergePatched, objectOf } from './json-text.js';

/** The user who writes a dashboard. */
export interface Author {
  readonly userId: string;
  /** Whether the caller may change the owner of other users' dashboards. */
  readonly manages: boolean;
}

/**
 * Content of a dashboard after a request.
 * @param text the document as sent
 * @throws HttpError `invalid-dashboard`, `protected-resource`
 */
export function contentOf(
  document: DashboardDocument,
  text: string,
  {
    owner,
    present,
    author,
    message = '',
    max,
  }: {
    /** Known here: a user, or everyone. */
    readonly owner: string;
    readonly present: DashboardRecord | undefined;
    readonly author: Author;
    readonly message?: string | undefined;
    readonly max: number;
  },
): DashboardContent {
  checkOwner(owner, present, author);
  const kept = storedText(text, owner);
  checkDocument(document, Buffer.byteLength(kept), max);
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
 * Applies a merge patch to one chart of a document.
 * @param patch as text
 * @throws HttpError `not-found` if there is no such chart, `invalid-dashboard` if the ID would
 * change, or the result is not a valid document
 */
export function addChart(
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
