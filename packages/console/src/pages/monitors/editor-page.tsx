import { useNavigate, useParams } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../data/api.js';
import { refreshAlerts, withMpl } from '../../data/alerts.js';
import { useCommands } from '../../data/commands.js';
import { nowInstant } from '../../data/time/instants.js';
import { boundsOf } from '../../data/time/ranges.js';
import { queryParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { askLanguage } from '../../editor/language.js';
import { Button } from '../../widgets/inputs/button.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { ErrorState, errorText, LoadingNotice } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';
import { type Draft, bodyOf, draftFor, draftOf, metricsDraft, problemsOf } from './draft.js';
import { MonitorForm } from './monitor-form.js';
import styles from './monitors.module.css';

const params = {
  q: queryParam(textParam()),
  from: queryParam(textParam()),
  to: queryParam(textParam('now')),
  /** `mpl`: the query is one of metrics. */
  lang: textParam(),
};

/** A new monitor, optionally with query and range from the page Query or Metrics. */
export function NewMonitorPage() {
  const [{ q, from, to, lang }] = useUrlState(params);
  const [first, setFirst] = useState<Draft>();
  useEffect(() => {
    let wanted = true;
    const begin = async (): Promise<void> => {
      if (lang === 'mpl') return setFirst(metricsDraft(q));
      const outline = q === '' ? undefined : await askLanguage('outline', q);
      const bounds = from === '' ? undefined : boundsOf({ from, to }, nowInstant());
      const minutes = bounds && Number((bounds.end - bounds.start) / 60_000_000_000n);
      if (wanted) setFirst(draftFor(q, minutes, outline?.givesEvents === true && outline.valid));
    };
    void begin();
    return () => {
      wanted = false;
    };
  }, [q, from, to, lang]);
  if (first === undefined)
    return (
      <Page title="New monitor" flow="running">
        <LoadingNotice />
      </Page>
    );
  return <Editor title="New monitor" first={first} id={undefined} />;
}

export function EditMonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'monitor', id],
    queryFn: ({ signal }) => api.call('getMonitor', { params: { id }, query: withMpl, signal }),
  });
  if (data !== undefined) return <Editor key={id} title={`Edit ${data.name}`} first={draftOf(data)} id={id} />;
  return (
    <Page title="Edit monitor" flow={error === null ? 'running' : 'failed'}>
      {error === null ? (
        <LoadingNotice />
      ) : (
        <ErrorState title="Could not load the monitor" error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Editor({
  title,
  first,
  id,
}: {
  readonly title: string;
  readonly first: Draft;
  readonly id: string | undefined;
}) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const problems = problemsOf(draft);
  const back = (): void => void navigate({ to: (id === undefined ? '/monitors' : `/monitors/${id}`) as string });
  const save = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(problems).length > 0 || saving) return;
    setSaving(true);
    setRefusal(undefined);
    try {
      const body = bodyOf(draft);
      const saved =
        id === undefined
          ? await api.call('createMonitor', { body })
          : await api.call('updateMonitor', { params: { id }, body });
      await refreshAlerts();
      notify({ text: `${saved.name} ${id === undefined ? 'created' : 'saved'}` });
      await navigate({ to: `/monitors/${saved.id}` as string });
    } catch (error) {
      setRefusal(errorText(error));
      setSaving(false);
    }
  };
  useCommands([
    { id: 'monitor.save', title: 'Save the monitor', group: 'Monitor', keys: ['mod+S'], run: () => void save() },
  ]);
  return (
    <Page
      title={title}
      flow={refusal === undefined ? (saving ? 'running' : 'idle') : 'failed'}
      bar={
        <>
          <BarSpace />
          <Button onPress={back}>Cancel</Button>
          <Button
            kind="primary"
            needs={{ org: 'monitors', action: id === undefined ? 'create' : 'update' }}
            disabled={saving}
            onPress={() => void save()}
          >
            {id === undefined ? 'Create monitor' : 'Save'}
          </Button>
        </>
      }
    >
      {refusal !== undefined && (
        <p className={styles.problem} role="alert">
          {refusal}
        </p>
      )}
      <MonitorForm
        draft={draft}
        problems={tried ? problems : {}}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
    </Page>
  );
}
