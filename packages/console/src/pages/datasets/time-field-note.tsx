import { eventTimeField, isEventTimeName } from '@millrace/timestamps';
import { useQuery } from '@tanstack/react-query';
import { datasetText, fieldText } from '../../data/apl-text.js';
import { columnOf } from '../../data/results/results.js';
import { runQuery } from '../../data/run-query.js';
import { nowInstant } from '../../data/time/instants.js';
import { EVER } from '../../data/scalar-query.js';
import { useAllowed } from '../../data/catalog.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { Button } from '../../widgets/inputs/button.js';
import { notify } from '../../widgets/overlays/toast.js';
import { errorText } from '../../widgets/states.js';
import { saveFieldRoles } from './field-roles-form.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';

/** Newest events inspected. */
const INSPECTED = 20;

/** Says that events have their arrival time although a field has the event time. */
export function TimeFieldNote({ dataset: { name, fields, fieldRoles } }: { readonly dataset: KnownDataset }) {
  const candidates = fields.map((field) => field.name).filter(isEventTimeName);
  const field = useIgnoredTime(name, candidates);
  if (field === undefined || (fieldRoles?.time ?? '') !== '') return null;
  const use = async (): Promise<void> => {
    try {
      await saveFieldRoles(name, { time: field });
      notify({ text: `New events get their time from ${field}` });
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  const parameter = `timestamp-field=${field}`;
  return (
    <p className={styles.timeNote} role="note">
      <span>
        New events get their arrival time, although <code>{field}</code> has the event time. Use it for all new events,
        or add <code>?{parameter}</code> to the ingest URL.
      </span>
      <Button small needs={{ org: 'datasets', action: 'update' }} onPress={() => void use()}>
        Use {field}
      </Button>
      <CopyButton text={parameter} label={`Copy ${parameter}`} />
    </p>
  );
}

/** The field with the event time, if the newest events with it have their arrival time instead. */
function useIgnoredTime(name: string, candidates: readonly string[]): string | undefined {
  const isAllowed = useAllowed({ dataset: name, can: 'query', action: 'read' });
  const { data } = useQuery({
    queryKey: ['ignored-time', name, candidates],
    queryFn: async ({ signal }) => {
      const names = candidates.map(fieldText);
      const apl = [
        datasetText(name),
        `where ${names.map((each) => `isnotnull(${each})`).join(' or ')}`,
        `project _time, _sysTime, ${names.join(', ')}`,
      ].join(' | ');
      const answer = await runQuery({ apl, from: EVER, to: 'now', rows: INSPECTED }, 'aside', signal);
      const arrived = columnOf(answer, '_sysTime');
      if (columnOf(answer, '_time').some((time, row) => time !== arrived[row])) return null;
      const columns = candidates.map((each) => [each, columnOf(answer, each)] as const);
      const events = arrived.map((_, row) => Object.fromEntries(columns.map(([each, cells]) => [each, cells[row]])));
      return eventTimeField(events, nowInstant()) ?? null;
    },
    enabled: isAllowed && candidates.length > 0,
    staleTime: 60_000,
    retry: false,
  });
  return data ?? undefined;
}
