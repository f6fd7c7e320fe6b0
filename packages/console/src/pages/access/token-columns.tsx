import { Chip } from '../../widgets/chip.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import type { DataColumn } from '../../widgets/data-table.js';

const SOON_MILLISECONDS = 7 * 86_400_000;

/** Expiry; amber when soon. */
function Expires({ at }: { readonly at: string | null }) {
  if (at === null) return <>never</>;
  const left = Date.parse(at) - Date.now();
  if (left < 0) return <Chip tone="bad">expired</Chip>;
  return left < SOON_MILLISECONDS ? (
    <Chip tone="warn">
      <RelativeTime at={at} />
    </Chip>
  ) : (
    <RelativeTime at={at} />
  );
}

interface TokenTimes {
  readonly lastUsed?: string;
  readonly expiresAt: string | null;
}

/** Last use and expiry, for API tokens and personal tokens. */
export const timeColumns: readonly DataColumn<TokenTimes>[] = [
  {
    id: 'used',
    title: 'Last used',
    aside: true,
    by: ({ lastUsed }) => lastUsed ?? '',
    cell: ({ lastUsed }) => (lastUsed === undefined ? 'never' : <RelativeTime at={lastUsed} />),
  },
  {
    id: 'expires',
    title: 'Expires',
    by: ({ expiresAt }) => expiresAt ?? '~',
    cell: ({ expiresAt }) => <Expires at={expiresAt} />,
  },
];
