import type { Token } from '@millrace/client';
import { parseDuration } from '@millrace/http/duration';
import { usage } from '../../failure.js';
import type { Column } from '../../render/records.js';

/** Shared by the token commands. */

export type Rights = Readonly<Record<string, readonly string[]>>;
/** Permissions per dataset or view; `*` for all. */
export type Capabilities = Readonly<Record<string, Rights>>;

export const idArgument = { doc: 'Id of the token, as token list shows it.' } as const;

/**
 * Parses `--expires`: a time, a date (its start in UTC), or a duration from now, written `now+30d`
 * as in queries or `30d`.
 * @throws Failure `usage`
 */
export function expiry(text: string | undefined, now = Date.now()): string | undefined {
  if (text === undefined) return undefined;
  const time = fromNow(text, now) ?? writtenTime(text);
  if (!(time <= lastTime)) {
    throw usage(`--expires: expected a time such as 2027-01-31T00:00:00Z, or 30d for 30 days from now, not '${text}'`);
  }
  if (time <= now)
    throw usage(`--expires: ${text} is not in the future; leave it out for a token that works until it is deleted`);
  return new Date(time).toISOString();
}

/** End of the year 9999; later years need five digits. */
const lastTime = Date.UTC(10_000, 0) - 1;

function fromNow(text: string, now: number): number | undefined {
  const age = parseDuration(/^(?:now\s*\+\s*)?(\S+)$/.exec(text.trim())?.[1] ?? '');
  return age === undefined ? undefined : now + Number(age / 1_000_000n);
}

const writtenTime = (text: string): number =>
  /^\d{4}-\d\d-\d\d(?:[Tt].+)?$/.test(text) ? new Date(text).getTime() : Number.NaN;

const rightsText = (rights: object): string => Object.keys(rights).join('+');

export const tokenColumns: readonly Column<Token>[] = [
  { title: 'id', whole: true, of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name },
  { title: 'expires', of: ({ expiresAt }) => expiresAt ?? 'never' },
  {
    title: 'may',
    of: ({ datasetCapabilities = {}, viewCapabilities = {}, orgCapabilities = {} }) =>
      [
        ...Object.entries(datasetCapabilities).map(([name, rights]) => `${name}:${rightsText(rights)}`),
        ...Object.entries(viewCapabilities).map(([name, rights]) => `view ${name}:${rightsText(rights)}`),
        ...(Object.keys(orgCapabilities).length > 0 ? [`organization:${rightsText(orgCapabilities)}`] : []),
      ].join(' '),
  },
];
