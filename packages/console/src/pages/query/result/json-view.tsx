import { useCallback } from 'react';
import { EventTree } from '../../../rows/json-tree.js';
import { RowGrid } from '../../../rows/row-grid.js';
import { ResultFooter } from './result-footer.js';
import type { ViewProps } from './views.js';

/** Each event as a JSON block. */
export function JsonView({ access, result, pointer }: ViewProps) {
  const { source } = result;
  return (
    <RowGrid
      label="Events as JSON"
      rows={source.rows}
      total={source.rows}
      columns={1}
      wrap
      render={useCallback(
        (row: number) => (
          <span role="gridcell">
            <EventTree source={source} row={row} label={`Event ${row + 1}`} />
          </span>
        ),
        [source],
      )}
      describe={(row) => `Event ${row + 1}`}
      {...pointer.grid}
      onEnd={result.loadMore}
      footer={<ResultFooter result={result} zone={access.zone} />}
    />
  );
}
