import { Upload } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../widgets/inputs/button.js';
import { errorText } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';
import { createBoard } from './document/records.js';
import { type GrafanaDashboard, grafanaDashboard } from './grafana/documents.js';

// Few people need it.
const GrafanaDialog = lazy(() =>
  import('./grafana/grafana-dialog.js').then(({ GrafanaDialog }) => ({ default: GrafanaDialog })),
);

const showError = (error: unknown): void => notify({ text: errorText(error), kind: 'problem' });

/** Reads a file with a dashboard: one of ours, of the same interface, or of Grafana. */
export function ImportButton({ onDone }: { readonly onDone: (uid: string) => void }) {
  const [grafana, setGrafana] = useState<GrafanaDashboard>();
  const take = async (file: File): Promise<void> => {
    const text = await file.text();
    try {
      const found = grafanaDashboard(JSON.parse(text));
      if (found === undefined) onDone(await createBoard(text));
      else setGrafana(found);
    } catch (error) {
      showError(error instanceof SyntaxError ? new Error(`${file.name} is not valid JSON: ${error.message}`) : error);
    }
  };
  return (
    <>
      <Button
        needs={{ org: 'dashboards', action: 'create' }}
        hint="The JSON of a dashboard, also one exported from Axiom or Grafana"
        onPress={() => {
          const input = document.createElement('input');
          input.type = 'file';
          input.accept = '.json,application/json';
          input.addEventListener('change', () => {
            const [file] = input.files ?? [];
            if (file !== undefined) void take(file);
          });
          input.click();
        }}
      >
        <Upload aria-hidden /> Import
      </Button>
      {grafana !== undefined && (
        <Suspense>
          <GrafanaDialog grafana={grafana} onClose={() => setGrafana(undefined)} onDone={onDone} />
        </Suspense>
      )}
    </>
  );
}
