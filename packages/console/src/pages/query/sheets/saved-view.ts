import type { StarredQuery } from '@millrace/client';
import type { QueryStateAccess, View } from '../query-state.js';

/** Opens a saved query with the range and the view that it was saved with. */
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
