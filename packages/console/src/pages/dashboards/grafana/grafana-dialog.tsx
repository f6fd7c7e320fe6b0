import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useCatalog } from '../../../data/catalog.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import { Dialog } from '../../../widgets/overlays/dialog.js';
import { errorText } from '../../../widgets/states.js';
import styles from '../dashboard.module.css';
import { createBoard } from '../document/records.js';
import type { GrafanaDashboard } from './documents.js';
import { importGrafana } from './import-grafana.js';

/** Imports a Grafana dashboard: which dataset it reads, and what becomes of its panels. */
export function GrafanaDialog({
  grafana,
  onClose,
  onDone,
}: {
  readonly grafana: GrafanaDashboard;
  readonly onClose: () => void;
  readonly onDone: (uid: string) => void;
}) {
  const datasets = (useCatalog()?.datasets ?? []).filter(({ name }) => !name.startsWith('millrace-'));
  const [chosen, setChosen] = useState<string>();
  const dataset = chosen ?? datasets.find(({ fields }) => fields.length > 2)?.name ?? datasets[0]?.name ?? 'logs';
  const { document, panels, translated, notes } = useMemo(() => importGrafana(grafana, dataset), [grafana, dataset]);
  const make = useMutation({ mutationFn: () => createBoard(JSON.stringify(document)), onSuccess: onDone });
  return (
    <Dialog
      open
      wide
      title={`Import “${grafana.title}” from Grafana`}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            needs={{ org: 'dashboards', action: 'create' }}
            disabled={make.isPending}
            onPress={() => make.mutate()}
          >
            Import
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Select
          label="Dataset for its queries"
          value={dataset}
          onChange={setChosen}
          choices={datasets.map(({ name }) => ({ id: name, title: name }))}
        />
        <p>
          {panels} panels, {translated} with a translated query. A query that cannot be translated becomes a note with
          its text.
        </p>
        {notes.length > 0 && (
          <ul className={styles.changes} aria-label="Differences">
            {notes.map((note, index) => (
              <li key={index}>{note}</li>
            ))}
          </ul>
        )}
        {make.error !== null && (
          <p className={styles.problem} role="alert">
            {errorText(make.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
