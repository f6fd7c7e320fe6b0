import type { Token } from '@millrace/client';
import { usage } from '../../failure.js';
import type { Column } from '../../render/records.js';

/** What the token commands share. */

export type Rights = Readonly<Record<string, readonly string[]>>;
/** Rights by dataset or view; `*` stands for all of them. */
export type Capabilities = Readonly<Record<string, Rights>>;

export const idArgument = { doc: 'Id of the token, as token list shows it.' } as const;

/**
 * When a token stops working, according to `--expires`; a date alone means its beginning in UTC.
 * @throws Failure `usage`
 */
export function expiry(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const written = /^\d{4}-\d\d-\d\d(?:[Tt].+)?$/.test(text) ? new Date(text).getTime() : Number.NaN;
  if (Number.isNaN(written)) throw usage(`--expires: expected a time such as 2027-01-31T00:00:00Z, not '${text}'`);
  return new Date(written).toISOString();
}

const rightsText = (rights: object): string => Object.keys(rights).join('+');

export const tokenColumns: readonly Column<Token>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name },
  { title: 'expires', of: ({ expiresAt }) => expiresAt ?? 'never' },
  {
    title: 'may',
    of: ({ datasetCapabilities = {}, viewCapabilities = {}, orgCapabilities = {} }) =>
      [
        ...Object.entries(datasetCapabilities).map(([name, rights]) => `${name}:${rightsText(rights)}`),
        ...Object.entries(viewCapabilities).map(([name, rights]) => `view ${name}:${rightsText(rights)}`),
        ...(Object.keys(orgCapabilities).length > 0 ? [`organisation:${rightsText(orgCapabilities)}`] : []),
      ].join(' '),
  },
];
