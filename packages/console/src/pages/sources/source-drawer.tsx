import { useState } from 'react';
import { api } from '../../data/api.js';
import { isInternalDataset, useCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { RecordDrawer } from '../../widgets/overlays/record-drawer.js';
import { notify } from '../../widgets/overlays/toast.js';
import { useDraft } from '../../widgets/overlays/use-draft.js';
import { errorText } from '../../widgets/states.js';
import { KindForm } from './kind-form.js';
import { kindNames, kinds } from './kinds.js';
import { emptySource, problemsIn, sourceBodyOf, sourceDraftOf } from './source-draft.js';
import { refreshSources, type Source } from './source-queries.js';
import { SourceStatus } from './source-status.js';

const kindChoices = kindNames.map((id) => ({ id, title: kinds[id].title }));
const update = { org: 'integrations', action: 'update' } as const;

/** One source: status, and the form of its kind. */
export function SourceDrawer({
  source,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly source: Source | undefined;
  readonly onClose: () => void;
}) {
  const datasets = (useCatalog()?.datasets ?? []).map(({ name }) => name).filter((name) => !isInternalDataset(name));
  const { draft, change, problems, check } = useDraft(
    () => (source === undefined ? emptySource(datasets[0] ?? '') : sourceDraftOf(source)),
    problemsIn,
  );
  // A stored dataset may be deleted or invisible.
  const names = [...new Set([...datasets, draft.dataset])].filter((name) => name !== '');
  const choices = names.map((id) => ({ id, title: id }));
  return (
    <RecordDrawer
      title={source?.name ?? 'New source'}
      noun="source"
      isNew={source === undefined}
      needs={source === undefined ? { org: 'integrations', action: 'create' } : update}
      check={check}
      onSave={async () => {
        const body = sourceBodyOf(draft, source);
        await (source === undefined
          ? api.call('createSource', { body })
          : api.call('updateSource', { params: { id: source.id }, body }));
        await refreshSources();
      }}
      deletion={
        source && {
          needs: { org: 'integrations', action: 'delete' },
          title: `Delete ${source.name}?`,
          text: 'It reads no further. Stored events stay.',
          run: async () => {
            await api.send('deleteSource', { params: { id: source.id } });
            await refreshSources();
          },
        }
      }
      actions={source && <PauseButton source={source} />}
      onClose={onClose}
    >
      {source !== undefined && <SourceStatus source={source} />}
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={problems['name']}
        autoFocus={source === undefined}
        placeholder="orders"
      />
      <Select label="Kind" value={draft.kind} choices={kindChoices} onChange={(kind) => change({ kind, values: {} })} />
      <Select label="Dataset" value={draft.dataset} choices={choices} onChange={(dataset) => change({ dataset })} />
      <Select
        label="Dataset of rejected messages"
        value={draft.rejectedDataset}
        choices={[{ id: '', title: 'Same dataset' }, ...choices]}
        onChange={(rejectedDataset) => change({ rejectedDataset })}
      />
      <KindForm
        kind={draft.kind}
        values={draft.values}
        problems={problems}
        isStored={source !== undefined}
        onChange={(id, value) => change({ values: { ...draft.values, [id]: value } })}
      />
    </RecordDrawer>
  );
}

function PauseButton({ source: { id, name, paused } }: { readonly source: Source }) {
  const [isSending, setSending] = useState(false);
  const press = async (): Promise<void> => {
    setSending(true);
    try {
      await api.call(paused ? 'resumeSource' : 'pauseSource', { params: { id } });
      await refreshSources();
      notify({ text: `${name} ${paused ? 'resumed' : 'paused'}` });
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    } finally {
      setSending(false);
    }
  };
  return (
    <Button needs={update} disabled={isSending} onPress={() => void press()}>
      {paused ? 'Resume' : 'Pause'}
    </Button>
  );
}
