import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { useMay } from '../../data/catalogue.js';
import { Moment } from '../../widgets/moment.js';
import styles from './welcome.module.css';

const LOOK_AGAIN_MILLISECONDS = 3000;
const SHOWN = 3;
const LATELY_MILLISECONDS = 15 * 60_000;

/**
 * What was refused while somebody tries: a wrong token, a name that is wrong, events that are none.
 * It is what people get wrong first.
 */
export function Refusals() {
  // Whoever may not know sees no refusals here, and nothing else is missing.
  const allowed = useMay({ org: 'auditLog', action: 'read' });
  const { data = [] } = useQuery({
    queryKey: ['refusals'],
    queryFn: ({ signal }) => api.call('listIngestRefusals', { signal }),
    enabled: allowed,
    refetchInterval: LOOK_AGAIN_MILLISECONDS,
    staleTime: 0,
    retry: false,
  });
  const since = Date.now() - LATELY_MILLISECONDS;
  const shown = data.filter(({ last }) => Date.parse(last) > since).slice(0, SHOWN);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.refusals} aria-label="Refused in the last minutes">
      {shown.map(({ last, path, message, count, tokenId, code }) => (
        <li key={`${tokenId} ${path} ${code}`}>
          <strong>Refused</strong> <Moment at={last} /> · <code>{path}</code>: {message}
          {count > 1 && ` (${count} times)`}
        </li>
      ))}
    </ul>
  );
}
