import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../data/api.js';
import { datasetText } from '../../data/apl-text.js';
import { textOf } from '../../data/results/cells.js';
import { visibleText } from '../../data/results/visible-text.js';
import { runQuery } from '../../data/run-query.js';
import { parseInstant } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { usePreferences } from '../../data/preferences.js';
import { eventJson } from '../../rows/event-json.js';
import { type RowSource, rowSource } from '../../rows/row-source.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import styles from './welcome.module.css';

/** The sent fields, without the server's timestamps. */
const sentRows = (source: RowSource): RowSource => ({
  ...source,
  fields: source.fields.filter(({ name }) => !name.startsWith('_')),
  present: (row) => source.present(row).filter(({ name }) => !name.startsWith('_')),
});

const SHOWN = 20;
const LOOK_AGAIN_MILLISECONDS = 1000;

/** Newest events of the dataset, polled every second, with the receipt of the first. */
export function FirstEvents({ dataset }: { readonly dataset: string | undefined }) {
  const navigate = useNavigate();
  const { zone } = usePreferences();
  const { data } = useQuery({
    queryKey: ['first-events', dataset],
    queryFn: async ({ signal }) => {
      const request = { apl: datasetText(dataset!), from: '1970-01-01T00:00:00Z', to: 'now+1d', rows: SHOWN };
      return rowSource([await runQuery(request, 'rows', signal)]);
    },
    enabled: dataset !== undefined,
    refetchInterval: LOOK_AGAIN_MILLISECONDS,
    staleTime: 0,
  });
  const cursor = data?.cursor(0);
  const position = cursor === undefined ? undefined : String(BigInt(`0x${cursor.split('-')[1]!}`));
  const { data: receipt } = useQuery({
    queryKey: ['receipt', position],
    queryFn: ({ signal }) => api.call('getReceipt', { params: { position: position! }, signal }),
    enabled: position !== undefined,
  });
  if (data === undefined || data.rows === 0)
    return (
      <p className={styles.waiting} role="status">
        Waiting for the first event…
      </p>
    );
  const fields = data.fields.filter(({ name }) => !name.startsWith('_')).slice(0, 12);
  const arrived = parseInstant(textOf(data.cell(0, '_sysTime')));
  return (
    <div className={styles.arrived}>
      <p role="status" className={styles.receipt}>
        <Chip tone="good">fsynced</Chip>
        <Chip tone={receipt?.state === 'stored' ? 'good' : 'warn'}>{receipt?.state ?? '…'}</Chip>
        <span>
          position {position}
          {arrived !== undefined && `, arrived ${zonedText(arrived, zone, 3)}`}
        </span>
      </p>
      <p className={styles.fields}>
        {fields.map(({ name, type }) => (
          <Chip key={name}>
            {name}: {type}
          </Chip>
        ))}
      </p>
      <Button
        kind="primary"
        onPress={() => void navigate({ to: '/query', search: { q: datasetText(dataset!), from: 'now-24h' } as never })}
      >
        Open in Query
      </Button>
      <ol className={styles.events} aria-label="The newest events">
        {Array.from({ length: data.rows }, (_, row) => (
          <li key={data.cursor(row)}>
            <code>{visibleText(eventJson(sentRows(data), row).slice(0, 300))}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
