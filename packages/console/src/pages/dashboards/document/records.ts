import { jsonText, type WriteDashboard } from '@millrace/client';
import { api } from '../../../data/api.js';
import { queryClient } from '../../../data/query-client.js';
import { type BoardDocument, membersOf } from './document.js';
import { jsonParts } from './json-parts.js';
import { keptText } from './kept-text.js';

/** Dashboards as the server keeps them. */
export interface BoardRecord {
  readonly uid: string;
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly document: BoardDocument;
  /**
   * The document to the letter, for files: reading and writing it would change how numbers are
   * written.
   */
  readonly text: string;
}

export const listKey = ['dashboards'] as const;
export const recordKey = (uid: string) => ['dashboard', uid] as const;

const PAGE = 1000;

export const listBoards = ({ signal }: { readonly signal: AbortSignal }) =>
  api.call('listDashboards', { query: { limit: PAGE }, signal });

/** The server writes the document last. */
const DOCUMENT = ',"dashboard":';

function recordOf(text: string): BoardRecord {
  const { dashboard, ...record } = JSON.parse(text) as Omit<BoardRecord, 'document' | 'text'> & {
    readonly dashboard: BoardDocument;
  };
  return { ...record, document: dashboard, text: text.slice(text.indexOf(DOCUMENT) + DOCUMENT.length, -1) };
}

export async function readBoard(uid: string, signal?: AbortSignal): Promise<BoardRecord> {
  const answer = await api.send('getDashboard', { params: { uid }, ...(signal !== undefined && { signal }) });
  const text = await answer.text();
  return recordOf(text);
}

/**
 * Makes a dashboard from the text of a document, which is sent to the letter. A file may also have
 * a document within an answer of the server.
 * @returns its uid
 * @throws SyntaxError when it is no JSON, ApiError when the server refuses it
 */
export async function createBoard(text: string): Promise<string> {
  const parsed = membersOf(JSON.parse(text));
  const inner = parsed['charts'] === undefined ? parsed['dashboard'] : undefined;
  const document = inner === undefined ? text : jsonParts(text).findLast(({ name }) => name === 'dashboard')!.value;
  const body = jsonText<WriteDashboard>(`{"dashboard":${document}}`);
  const made = await api.call('createDashboard', { body });
  await queryClient.invalidateQueries({ queryKey: listKey });
  return made.dashboard.uid;
}

/**
 * @param before the text of the document that was changed: what is as it was is written as it was
 * @throws ApiError 412 when somebody else saved meanwhile
 */
export async function saveBoard(
  { uid, version, text: before }: Pick<BoardRecord, 'uid' | 'version' | 'text'>,
  document: BoardDocument,
): Promise<BoardRecord> {
  const body = jsonText<WriteDashboard>(`{"version":${version},"dashboard":${keptText(document, before)}}`);
  await api.call('replaceDashboard', { params: { uid }, body });
  await queryClient.invalidateQueries({ queryKey: listKey });
  const record = await readBoard(uid);
  queryClient.setQueryData(recordKey(uid), record);
  return record;
}

export async function deleteBoard(uid: string): Promise<void> {
  await api.call('deleteDashboard', { params: { uid } });
  await queryClient.invalidateQueries({ queryKey: listKey });
}

export const emptyDocument = (name: string): BoardDocument => ({
  name,
  owner: 'X-AXIOM-EVERYONE',
  charts: [],
  layout: [],
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
});
