import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf } from '../../data/format-units.js';
import { api } from '../../data/api.js';
import { datasetText } from '../../data/apl-text.js';
import { queryClient } from '../../data/query-client.js';
import { EVER } from '../../data/scalar-query.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './datasets.module.css';

/** Deletes events by filter, after a count and their time range. */
export function DeleteByQuery({ dataset }: { readonly dataset: string }) {
  const [filter, setFilter] = useState('');
  const [asking, setAsking] = useState(false);
  const body = { apl: `${datasetText(dataset)}\n| where ${filter}`, startTime: EVER, endTime: 'now+1d' };
  const count = useMutation({ mutationFn: () => api.call('deleteByQuery', { body: { ...body, commit: false } }) });
  const found = count.data;
  return (
    <>
      <div className={styles.line}>
        <TextField
          label="Delete events where"
          mono
          value={filter}
          onChange={(next) => {
            setFilter(next);
            count.reset();
          }}
          className={styles.wide}
          placeholder="user_id == 'u17'"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && filter.trim() !== '') count.mutate();
          }}
        />
        <Button
          disabled={filter.trim() === '' || count.isPending}
          needs={{ dataset, can: 'data', action: 'delete' }}
          onPress={() => count.mutate()}
        >
          {count.isPending ? 'Counting…' : 'Count'}
        </Button>
        <Button
          kind="danger"
          disabled={found === undefined || found.rowsMatched === 0}
          needs={{ dataset, can: 'data', action: 'delete' }}
          onPress={() => setAsking(true)}
        >
          Delete…
        </Button>
      </div>
      {count.error !== null && (
        <p role="alert" className={styles.problem}>
          {errorText(count.error)}
        </p>
      )}
      {found !== undefined && (
        <p role="status" className={styles.about}>
          {countOf(found.rowsMatched, 'event')} match
          {found.rowsMatched > 0 && `, from ${found.firstMatchedEvent} to ${found.lastMatchedEvent}`}.
        </p>
      )}
      {asking && found !== undefined && (
        <Confirm
          title={`Delete ${countOf(found.rowsMatched, 'event')}?`}
          action="Delete events"
          typed={dataset}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { rowsDeleted } = await api.call('deleteByQuery', { body: { ...body, commit: true } });
            notify({ text: `${countOf(rowsDeleted, 'event')} deleted` });
            count.reset();
            await queryClient.invalidateQueries();
          }}
        >
          <pre>{body.apl}</pre>
          <p>Matching events that arrive during the deletion are deleted too. This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}
