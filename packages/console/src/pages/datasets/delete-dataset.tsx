import type { DatasetInfo } from '@millrace/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './datasets.module.css';
import { useDependants } from './dependants.js';
import { amountText } from './older-events.js';

/** Deletes a dataset after listing its content and dependents. */
export function DeleteDataset({ dataset, info }: { readonly dataset: string; readonly info: DatasetInfo | undefined }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { data } = useDependants(dataset, asking);
  return (
    <>
      <Button kind="danger" needs={{ org: 'datasets', action: 'delete' }} onPress={() => setAsking(true)}>
        Delete dataset…
      </Button>
      {asking && (
        <Confirm
          title={`Delete ${dataset}?`}
          action="Delete dataset"
          typed={dataset}
          ready={data !== undefined}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.call('deleteDataset', { params: { id: dataset } });
            notify({ text: `${dataset} is deleted` });
            await navigate({ to: '/datasets' as string });
            await Promise.all([refreshCatalog(), queryClient.invalidateQueries({ queryKey: ['datasets'] })]);
          }}
        >
          <p>
            It has <strong>{amountText(info?.numEvents ?? 0, info)}</strong>. This cannot be undone.
          </p>
          {data === undefined ? (
            <p role="status">Checking dependencies…</p>
          ) : (
            <>
              {data.found.length === 0 ? (
                <p>
                  No view, monitor, dashboard or saved query uses it
                  {data.complete ? '' : '(among those visible to you)'}.
                </p>
              ) : (
                <>
                  <p>These use the dataset and will fail:</p>
                  <ul className={styles.dependants}>
                    {data.found.map(({ kind, name }) => (
                      <li key={`${kind} ${name}`}>
                        <span className={styles.note}>{kind}</span> {name}
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </>
          )}
        </Confirm>
      )}
    </>
  );
}
