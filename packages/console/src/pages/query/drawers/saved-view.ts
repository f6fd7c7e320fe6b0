import type { StarredQuery } from '@millrace/client';
import type { QueryStateAccess, View } from '../query-state.js';

/** State of the page for a saved query, with its range and view. */
export function openSaved({ ask, change }: QueryStateAccess, { query, metadata }: StarredQuery): void {
  ask({
    q: String(query['apl'] ?? ''),
    from: String(query['startTime'] ?? 'now-1h'),
    to: String(query['endTime'] ?? 'now'),
    asof: '',
  });
  change({
    v: (metadata['view'] ?? 'auto') as View,
    c: metadata['columns'] ? metadata['columns'].split(',') : [],
  });
}
