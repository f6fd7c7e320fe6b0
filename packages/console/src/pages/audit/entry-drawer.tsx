import { parseInstant } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { Chip } from '../../widgets/chip.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { Drawer } from '../../widgets/overlays/dialog.js';
import styles from './audit.module.css';
import { DescriptionList } from '../../widgets/description-list.js';

/** An audit log entry; missing properties are empty. */
export interface Entry {
  readonly id: string;
  readonly time: string;
  readonly outcome: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: string;
  readonly subject: string;
  readonly code: string;
  readonly message: string;
  readonly actorKind: string;
  readonly userId: string;
  readonly tokenName: string;
  readonly sessionId: string;
  readonly address: string;
  readonly traceId: string;
}

const outcomes: Readonly<Record<string, string>> = { changed: 'Changed', refused: 'Rejected', failed: 'Failed' };

export const Outcome = ({ entry: { outcome, code } }: { readonly entry: Entry }) => (
  <Chip tone={outcome === 'changed' ? 'good' : outcome === 'refused' ? 'warn' : 'bad'}>
    {outcomes[outcome] ?? outcome}
    {code !== '' && <span className={styles.code}>: {code}</span>}
  </Chip>
);

/** All details of one entry. */
export function EntrySheet({
  entry,
  who,
  zone,
  onClose,
}: {
  readonly entry: Entry;
  readonly who: string;
  readonly zone: string;
  readonly onClose: () => void;
}) {
  const instant = parseInstant(entry.time);
  const facts = [
    ['Time', instant === undefined ? entry.time : zonedText(instant, zone, 3)],
    ['Outcome', <Outcome key="outcome" entry={entry} />],
    ['Message', entry.message],
    ['Action', <code key="operation">{entry.operation}</code>],
    ['Request', <code key="request">{`${entry.method} ${entry.path}`}</code>],
    ['Status', entry.status],
    ['Resource', entry.subject],
    ['User', who],
    ['Token', entry.tokenName],
    ['Session', entry.sessionId],
    ['Address', <code key="address">{entry.address}</code>],
    [
      'Trace',
      <span key="trace">
        <code>{entry.traceId}</code> <CopyButton text={entry.traceId} label="Copy the trace id" />
      </span>,
    ],
  ] as const;
  return (
    <Drawer title={entry.operation} open onClose={onClose}>
      <DescriptionList facts={facts.filter(([, value]) => value !== '')} />
    </Drawer>
  );
}
