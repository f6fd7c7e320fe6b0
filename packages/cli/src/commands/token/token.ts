import type { Token } from '@millrace/client';
import type { Column } from '../../render/records.js';

/** What the token commands share. */

export type Rights = Readonly<Record<string, readonly string[]>>;
/** By dataset or view; `*` is all of them. */
export type Capabilities = Readonly<Record<string, Rights>>;

export const idArgument = { doc: 'Id of the token, as token list shows it.' } as const;
export const jsonOption = { type: 'flag', doc: 'Write JSON, also in a terminal.' } as const;

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
