import type { DatasetInfo } from '@millrace/client';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';
import { amountText, useOlderEvents } from './older-events.js';

/** Retention in days, and what a change would delete today. */
export function Retention({
  dataset: { name, useRetentionPeriod, retentionDays },
  info,
}: {
  readonly dataset: KnownDataset;
  readonly info: DatasetInfo | undefined;
}) {
  const [limited, setLimited] = useState(useRetentionPeriod);
  const [text, setText] = useState(String(retentionDays === 0 ? 30 : retentionDays));
  const [asking, setAsking] = useState(false);
  const days = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
  const older = useOlderEvents(name, limited ? days : undefined);
  const isChanged = limited !== useRetentionPeriod || (limited && days !== retentionDays);
  const save = async (): Promise<void> => {
    const body = limited ? { useRetentionPeriod: true, retentionDays: days! } : { useRetentionPeriod: false };
    await api.call('updateDataset', { params: { id: name }, body });
    await Promise.all([refreshCatalog(), queryClient.invalidateQueries({ queryKey: ['datasets'] })]);
  };
  return (
    <>
      <div className={styles.line}>
        <SegmentedInput
          label="Retention"
          value={limited ? 'days' : 'ever'}
          onChange={(next) => setLimited(next === 'days')}
          choices={[
            { id: 'ever', title: 'Forever' },
            { id: 'days', title: 'Number of days' },
          ]}
        />
        {limited && (
          <TextField
            label="Days"
            bare
            value={text}
            onChange={setText}
            className={styles.field}
            problem={days === undefined ? 'Enter 1 day or more' : undefined}
          />
        )}
        <Button
          disabled={!isChanged || (limited && (days === undefined || older.data === undefined))}
          needs={{ org: 'datasets', action: 'update' }}
          onPress={() => setAsking(true)}
        >
          Save retention
        </Button>
      </div>
      {limited && days !== undefined && (
        <p role="status" className={styles.about}>
          {older.data === undefined
            ? 'Counting what would be removed…'
            : `Would delete ${amountText(older.data, info)} today.`}
        </p>
      )}
      {asking && (
        <Confirm
          title={limited ? `Keep the events of ${name} for ${days} days?` : `Keep events in ${name} forever?`}
          action="Save retention"
          onClose={() => setAsking(false)}
          onConfirm={save}
        >
          <p>
            {limited
              ? `This deletes ${amountText(older.data ?? 0, info)} today and cannot be undone.`
              : 'Events are no longer deleted automatically.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
