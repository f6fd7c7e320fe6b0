import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '@millrace/client';
import { useState } from 'react';
import { pathPrefix } from '../../../data/address/console-path.js';
import { api } from '../../../data/api.js';
import { useMonitors } from '../../../data/alerts.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { Drawer } from '../../../widgets/overlays/dialog.js';
import { RecordDrawer } from '../../../widgets/overlays/record-drawer.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from '../monitors.module.css';

type StatusPage = AnswerOf<'getStatusPage'>;

const update = { org: 'monitors', action: 'update' } as const;

/** Settings of the public status page. */
export function StatusPageDrawer({ onClose }: { readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'status-page'],
    queryFn: ({ signal }) => api.call('getStatusPage', { signal }),
  });
  if (data !== undefined) return <Form page={data} onClose={onClose} />;
  return (
    <Drawer title="Status page" open wide onClose={onClose} actions={<Button onPress={onClose}>Close</Button>}>
      {error === null ? (
        <LoadingNotice />
      ) : (
        <ErrorState title="Could not load the status page" error={error} onRetry={() => void refetch()} />
      )}
    </Drawer>
  );
}

function Form({ page, onClose }: { readonly page: StatusPage; readonly onClose: () => void }) {
  const all = useMonitors().data ?? [];
  const [enabled, setEnabled] = useState(page.enabled);
  const [title, setTitle] = useState(page.title);
  const [message, setMessage] = useState(page.message ?? '');
  const [monitors, setMonitors] = useState(page.monitors);
  return (
    <RecordDrawer
      title="Status page"
      noun="status page"
      isNew={false}
      needs={update}
      check={() => title.trim() !== ''}
      onSave={() => {
        const chosen = monitors.map(({ monitorId, name }) => ({
          monitorId,
          name: name.trim() === '' ? (all.find(({ id }) => id === monitorId)?.name ?? monitorId) : name,
        }));
        const body = { enabled, title: title.trim(), message, monitors: chosen };
        return api.call('replaceStatusPage', { body });
      }}
      saved={enabled ? 'Status page is public' : 'Status page is off'}
      onClose={onClose}
    >
      <Checkbox checked={enabled} onChange={setEnabled}>
        Public: anyone can read it without sign-in
      </Checkbox>
      <p className={styles.hint}>
        {page.enabled ? (
          <a href={`${pathPrefix}/status`} target="_blank" rel="noreferrer">
            Open the status page
          </a>
        ) : (
          'It will be at /status of this server.'
        )}{' '}
        It shows the names below and states, no values, groups or queries.
      </p>
      <TextField
        label="Title"
        value={title}
        onChange={setTitle}
        problem={title.trim() === '' ? 'Enter a title' : undefined}
      />
      <TextField
        label="Message"
        value={message}
        onChange={setMessage}
        lines={3}
        description="Above the states, such as what you do about an outage"
      />
      <div className={styles.boxes} role="group" aria-label="Monitors">
        <span className={styles.heading}>Monitors</span>
        {all.map(({ id, name }) => {
          const chosen = monitors.find(({ monitorId }) => monitorId === id);
          return (
            <div key={id} className={styles.pair}>
              <Checkbox
                checked={chosen !== undefined}
                onChange={(is) =>
                  setMonitors((before) =>
                    is ? [...before, { monitorId: id, name }] : before.filter(({ monitorId }) => monitorId !== id),
                  )
                }
              >
                {name}
              </Checkbox>
              {chosen !== undefined && (
                <TextField
                  label={`Public name of ${name}`}
                  bare
                  value={chosen.name}
                  onChange={(next) =>
                    setMonitors((before) =>
                      before.map((each) => (each.monitorId === id ? { ...each, name: next } : each)),
                    )
                  }
                />
              )}
            </div>
          );
        })}
        {all.length === 0 && <p className={styles.hint}>No monitors yet</p>}
      </div>
    </RecordDrawer>
  );
}
