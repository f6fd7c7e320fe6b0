import { jsonText, type WriteDashboard } from '@millrace/client';
import { api } from '../../../data/api.js';
import { queryClient } from '../../../data/query-client.js';
import { type BoardDocument, membersOf, textMember } from './document.js';
import { jsonParts } from './json-parts.js';
import { textToSave } from './raw-json.js';

/** Stored dashboards. */
export interface BoardRecord {
  readonly uid: string;
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly document: BoardDocument;
  /** The document verbatim, for files: parsing would change numbers. */
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
 * Creates a dashboard from a document, sent verbatim. A file may also hold an API response with the
 * document in it.
 * @returns its uid
 * @throws SyntaxError when it is not JSON, ApiError when the server rejects it
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
 * @param before text of the changed document: unchanged parts are saved verbatim
 * @throws ApiError 412 on a concurrent save
 */
export async function saveBoard(
  { uid, version, text: before }: Pick<BoardRecord, 'uid' | 'version' | 'text'>,
  document: BoardDocument,
): Promise<BoardRecord> {
  const body = jsonText<WriteDashboard>(`{"version":${version},"dashboard":${textToSave(document, before)}}`);
  await api.call('replaceDashboard', { params: { uid }, body });
  await queryClient.invalidateQueries({ queryKey: listKey });
  const record = await readBoard(uid);
  queryClient.setQueryData(recordKey(uid), record);
  return record;
}

/** Creates a copy with a name of its own. @returns its uid */
export async function duplicateBoard(uid: string): Promise<string> {
  const { document, text } = await readBoard(uid);
  const name = `${textMember(document, 'name') ?? uid} (copy)`;
  // The copy gets a new uid, also if the document has one.
  return createBoard(textToSave({ ...document, uid: undefined, name }, text));
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
