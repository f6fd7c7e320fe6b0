import { Chip } from '../../widgets/chip.js';
import { Moment } from '../../widgets/moment.js';

const SOON_MILLISECONDS = 7 * 86_400_000;

/** When something ends; amber when that is soon. */
export function Expires({ at }: { readonly at: string | null }) {
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
