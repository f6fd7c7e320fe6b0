import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { useAllowed } from '../../data/catalog.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import styles from './welcome.module.css';

const LOOK_AGAIN_MILLISECONDS = 3000;
const SHOWN = 3;
const LATELY_MILLISECONDS = 15 * 60_000;

/**
 * Recent rejections: a wrong token, an invalid name, malformed events. These are the usual first
 * problems.
 */
export function Refusals() {
  // Without the permission, the list is omitted.
  const allowed = useAllowed({ org: 'auditLog', action: 'read' });
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
    <ul className={styles.refusals} aria-label="Recently rejected">
      {shown.map(({ last, path, message, count, tokenId, code }) => (
        <li key={`${tokenId} ${path} ${code}`}>
          <strong>Refused</strong> <RelativeTime at={last} /> · <code>{path}</code>: {message}
          {count > 1 && ` (${count} times)`}
        </li>
      ))}
    </ul>
  );
}
