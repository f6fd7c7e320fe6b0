import { Chip } from '../../widgets/chip.js';
import { Moment } from '../../widgets/moment.js';
import type { DataColumn } from '../../widgets/data-table.js';

const SOON_MILLISECONDS = 7 * 86_400_000;

/** When something ends; amber when that is soon. */
function Expires({ at }: { readonly at: string | null }) {
  if (at === null) return <>never</>;
  const left = Date.parse(at) - Date.now();
  if (left < 0) return <Chip tone="bad">over</Chip>;
  return left < SOON_MILLISECONDS ? (
    <Chip tone="warn">
      <Moment at={at} />
    </Chip>
  ) : (
    <Moment at={at} />
  );
}

interface TokenTimes {
  readonly lastUsed?: string;
  readonly expiresAt: string | null;
}

/** When a token was used last, and when it ends: for tokens of programs and of people alike. */
export const timeColumns: readonly DataColumn<TokenTimes>[] = [
  {
    id: 'used',
    title: 'Last used',
    aside: true,
    by: ({ lastUsed }) => lastUsed ?? '',
    cell: ({ lastUsed }) => (lastUsed === undefined ? 'never' : <Moment at={lastUsed} />),
  },
  {
    id: 'expires',
    title: 'Ends',
    by: ({ expiresAt }) => expiresAt ?? '~',
    cell: ({ expiresAt }) => <Expires at={expiresAt} />,
  },
];
