import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { countOf } from '../../data/format-units.js';
import { api } from '../../data/api.js';
import { datasetText } from '../../data/apl-text.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import styles from './datasets.module.css';
import type { SendResult } from './send-events.js';

const LOOK_AGAIN_MILLISECONDS = 200;

/**
 * Result of an ingest: durable with the response, queryable soon after, and rejected events with
 * reasons.
 */
export function ReceiptView({ sent, dataset }: { readonly sent: SendResult; readonly dataset: string }) {
  const { status, position, milliseconds, answered } = sent;
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['receipt', position],
    enabled: position !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { state } = await api.call('getReceipt', { params: { position: position! }, signal });
      return { state, after: performance.now() - answered };
    },
    refetchInterval: ({ state }) => (state.data?.state === 'stored' ? false : LOOK_AGAIN_MILLISECONDS),
  });
  return (
    <div className={styles.receipt} role="status" aria-label="Receipt">
      {status.ingested > 0 && (
        <p className={styles.line}>
          <Chip tone="good">on disk after {Math.round(milliseconds)} ms</Chip>
          <span aria-hidden>→</span>
          {data?.state === 'stored' ? (
            <Chip tone="good">stored {Math.round(data.after)} ms later</Chip>
          ) : (
            <Chip tone="warn">pending flush</Chip>
          )}
          {position !== undefined && <span className={styles.note}>position {position}</span>}
        </p>
      )}
      <p>
        {countOf(status.ingested, 'event')} accepted
        {status.failed > 0 && <span className={styles.problem}>, {status.failed} rejected</span>}.
      </p>
      {status.failures.map(({ error }) => (
        <p key={error} className={styles.problem}>
          {error}
        </p>
      ))}
      {(status.messages ?? []).map(({ code, msg }) => (
        <p key={code + msg}>{msg}</p>
      ))}
      {status.ingested > 0 && (
        <Button
          onPress={() =>
            void navigate({ to: '/query' as string, search: { q: datasetText(dataset), from: 'now-15m' } as never })
          }
        >
          Open in Query
        </Button>
      )}
    </div>
  );
}
