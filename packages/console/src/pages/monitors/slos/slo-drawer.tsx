import { useEffect, useState } from 'react';
import { api } from '../../../data/api.js';
import { refreshAlerts, useNotifiers } from '../../../data/alerts.js';
import { useCatalogue } from '../../../data/catalog.js';
import type { Slo } from '../../../data/alerting/slos.js';
import { tellLanguage } from '../../../editor/language.js';
import { QueryEditor } from '../../../editor/query-editor.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { Confirm } from '../../../widgets/overlays/confirm.js';
import { Drawer } from '../../../widgets/overlays/dialog.js';
import { notify } from '../../../widgets/overlays/toast.js';
import { errorText } from '../../../widgets/states.js';
import styles from '../monitors.module.css';
import { SloSummary } from './slo-summary.js';
import { allowanceText, newSlo, sloBodyOf, type SloDraft, sloDraftOf, sloProblems } from './slo-draft.js';

const noValues = (): Promise<readonly string[]> => Promise.resolve([]);

/** An objective: how its budget stands, and its definition. */
export function SloDrawer({ slo, onClose }: { readonly slo: Slo | undefined; readonly onClose: () => void }) {
  const catalogue = useCatalogue();
  const notifiers = useNotifiers().data ?? [];
  const [draft, setDraft] = useState<SloDraft>(slo === undefined ? newSlo : sloDraftOf(slo));
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [rejection, setRejection] = useState<string>();
  useEffect(() => {
    if (catalogue !== undefined) tellLanguage(catalogue);
  }, [catalogue]);
  const found = sloProblems(draft);
  const problems = tried ? found : {};
  const onChange = (change: Partial<SloDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const save = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(found).length > 0 || saving) return;
    setSaving(true);
    setRejection(undefined);
    try {
      const body = sloBodyOf(draft, slo);
      await (slo === undefined
        ? api.call('createSlo', { body })
        : api.call('updateSlo', { params: { id: slo.id }, body }));
      await refreshAlerts();
      notify({ text: slo === undefined ? 'SLO created' : 'SLO saved' });
      onClose();
    } catch (error) {
      setRejection(errorText(error));
      setSaving(false);
    }
  };
  return (
    <Drawer
      title={slo === undefined ? 'New SLO' : slo.name}
      open
      wide
      onClose={onClose}
      actions={
        <>
          {slo !== undefined && (
            <Button kind="danger" needs={{ org: 'monitors', action: 'delete' }} onPress={() => setDeleting(true)}>
              Delete
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            needs={{ org: 'monitors', action: slo === undefined ? 'create' : 'update' }}
            disabled={saving}
            onPress={() => void save()}
          >
            {slo === undefined ? 'Create SLO' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {slo !== undefined && <SloSummary slo={slo} />}
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => onChange({ name })}
          problem={problems.name}
          autoFocus={slo === undefined}
          placeholder="Payments succeed"
        />
        <div className={styles.boxes}>
          <span className={styles.heading}>Events that count</span>
          <div className={styles.editor}>
            <QueryEditor
              text={draft.aplQuery}
              onChange={(aplQuery) => onChange({ aplQuery })}
              onRun={() => undefined}
              onFindings={() => undefined}
              valuesOf={noValues}
              label="Events that count, in APL"
            />
          </div>
          {problems.aplQuery === undefined ? (
            <p className={styles.hint}>Not summarized, such as: ['http-logs'] | where path == '/pay'</p>
          ) : (
            <p className={styles.problem} role="alert">
              {problems.aplQuery}
            </p>
          )}
        </div>
        <TextField
          label="Good if"
          value={draft.good}
          onChange={(good) => onChange({ good })}
          problem={problems.good}
          placeholder="status < 500 and duration_ms < 300"
          mono
        />
        <div className={styles.pair}>
          <TextField
            label="Objective, percent of events"
            value={draft.objective}
            onChange={(objective) => onChange({ objective })}
            problem={problems.objective}
            description={allowanceText(draft)}
          />
          <TextField
            label="Rolling window, days"
            value={draft.windowDays}
            onChange={(windowDays) => onChange({ windowDays })}
            problem={problems.windowDays}
          />
        </div>
        <div className={styles.boxes} role="group" aria-label="Notifiers">
          <span className={styles.heading}>Burn-rate alerts notify</span>
          {notifiers.map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={draft.notifierIds.includes(id)}
              onChange={(checked) =>
                onChange({
                  notifierIds: checked ? [...draft.notifierIds, id] : draft.notifierIds.filter((each) => each !== id),
                })
              }
            >
              {name}
            </Checkbox>
          ))}
          <p className={styles.hint}>Notifiers from routes are added. Each alert is a separate monitor.</p>
        </div>
        <TextField
          label="Labels"
          value={draft.labels}
          onChange={(labels) => onChange({ labels })}
          problem={problems.labels}
          lines={2}
          description="One per line, such as team=payments"
          mono
        />
        {rejection !== undefined && (
          <p className={styles.problem} role="alert">
            {rejection}
          </p>
        )}
      </div>
      {deleting && slo !== undefined && (
        <Confirm
          title={`Delete ${slo.name}?`}
          action="Delete the SLO"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.call('deleteSlo', { params: { id: slo.id } });
            await refreshAlerts();
            onClose();
          }}
        >
          Its burn-rate alerts and their history are deleted, and open incidents are resolved at receivers.
        </Confirm>
      )}
    </Drawer>
  );
}
