import { useEffect } from 'react';
import { api } from '../../../data/api.js';
import { useNotifiers } from '../../../data/alerts.js';
import { useCatalog } from '../../../data/catalog.js';
import type { Slo } from '../../../data/alerting/slos.js';
import { tellLanguage } from '../../../editor/language.js';
import { QueryEditor } from '../../../editor/query-editor.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { RecordDrawer } from '../../../widgets/overlays/record-drawer.js';
import { useDraft } from '../../../widgets/overlays/use-draft.js';
import styles from '../monitors.module.css';
import { NotifierBoxes } from '../notifier-boxes.js';
import { SloSummary } from './slo-summary.js';
import { allowanceText, newSlo, sloBodyOf, sloDraftOf, sloProblems } from './slo-draft.js';

const noValues = (): Promise<readonly string[]> => Promise.resolve([]);

/** An objective: how its budget stands, and its definition. */
export function SloDrawer({ slo, onClose }: { readonly slo: Slo | undefined; readonly onClose: () => void }) {
  const catalog = useCatalog();
  const notifiers = useNotifiers().data ?? [];
  const { draft, change, problems, check } = useDraft(
    () => (slo === undefined ? newSlo : sloDraftOf(slo)),
    sloProblems,
  );
  useEffect(() => {
    if (catalog !== undefined) tellLanguage(catalog);
  }, [catalog]);
  return (
    <RecordDrawer
      title={slo?.name ?? 'New SLO'}
      noun="SLO"
      isNew={slo === undefined}
      needs={{ org: 'monitors', action: slo === undefined ? 'create' : 'update' }}
      check={check}
      onSave={() => {
        const body = sloBodyOf(draft, slo);
        return slo === undefined
          ? api.call('createSlo', { body })
          : api.call('updateSlo', { params: { id: slo.id }, body });
      }}
      deletion={
        slo && {
          needs: { org: 'monitors', action: 'delete' },
          title: `Delete ${slo.name}?`,
          text: 'Its burn-rate alerts and their history are deleted, and open incidents are resolved at receivers.',
          run: () => api.call('deleteSlo', { params: { id: slo.id } }),
        }
      }
      onClose={onClose}
    >
      {slo !== undefined && <SloSummary slo={slo} />}
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={problems.name}
        autoFocus={slo === undefined}
        placeholder="Payments succeed"
      />
      <div className={styles.boxes}>
        <span className={styles.heading}>Events that count</span>
        <div className={styles.editor}>
          <QueryEditor
            text={draft.aplQuery}
            onChange={(aplQuery) => change({ aplQuery })}
            onRun={() => undefined}
            onFindings={() => undefined}
            valuesOf={noValues}
            placeholder="logs | where path == '/pay'"
            label="Events that count, in APL"
          />
        </div>
        {problems.aplQuery === undefined ? (
          <p className={styles.hint}>The total: all events to count, not summarized</p>
        ) : (
          <p className={styles.problem} role="alert">
            {problems.aplQuery}
          </p>
        )}
      </div>
      <TextField
        label="Good if"
        value={draft.good}
        onChange={(good) => change({ good })}
        problem={problems.good}
        placeholder="status < 500 and duration_ms < 300"
        mono
      />
      <div className={styles.pair}>
        <TextField
          label="Objective, percent of events"
          value={draft.objective}
          onChange={(objective) => change({ objective })}
          problem={problems.objective}
          description={allowanceText(draft)}
        />
        <TextField
          label="Rolling window, days"
          value={draft.windowDays}
          onChange={(windowDays) => change({ windowDays })}
          problem={problems.windowDays}
        />
      </div>
      <div className={styles.boxes} role="group" aria-label="Notifiers">
        <span className={styles.heading}>Burn-rate alerts notify</span>
        <NotifierBoxes
          notifiers={notifiers}
          ids={draft.notifierIds}
          onChange={(notifierIds) => change({ notifierIds })}
        />
        <p className={styles.hint}>Notifiers from routes are added. Each alert is a separate monitor.</p>
      </div>
      <TextField
        label="Labels"
        value={draft.labels}
        onChange={(labels) => change({ labels })}
        problem={problems.labels}
        lines={2}
        description="One per line, such as team=payments"
        mono
      />
    </RecordDrawer>
  );
}
