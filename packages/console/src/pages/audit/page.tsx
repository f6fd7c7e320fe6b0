import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { textOf } from '../../data/results/cells.js';
import { useAllowed } from '../../data/catalog.js';
import { runQuery } from '../../data/run-query.js';
import { usePreferences } from '../../data/preferences.js';
import { parseInstant } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { queryParam, choiceParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { useUserNames } from '../../data/user-names.js';
import { rowSource } from '../../rows/row-source.js';
import { Button } from '../../widgets/inputs/button.js';
import { DataTable } from '../../widgets/data-table.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { Select } from '../../widgets/inputs/select.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './audit.module.css';
import { type Entry, EntrySheet, Outcome } from './entry-drawer.js';
import { auditQuery, presetIds, presets } from './preset-table.js';

const ranges = [
  { id: 'now-1h', title: 'Last hour' },
  { id: 'now-24h', title: 'Last 24 hours' },
  { id: 'now-7d', title: 'Last 7 days' },
  { id: 'now-30d', title: 'Last 30 days' },
  { id: 'now-365d', title: 'Last year' },
] as const;

const params = {
  show: queryParam(choiceParam(presetIds, 'all')),
  qs: textParam(),
  from: queryParam(
    choiceParam(
      ranges.map(({ id }) => id),
      'now-7d',
    ),
  ),
  sort: textParam('-time'),
};

/** Larger searches belong to the Query page. */
const MAX_SHOWN = 200;
const needs = { org: 'auditLog', action: 'read' } as const;

/** Audit log: changes and denied requests. */
export function AuditPage() {
  const [{ show, qs, from, sort }, change] = useUrlState(params);
  const [typed, setTyped] = useState(qs);
  const [open, setOpen] = useState<Entry>();
  const { zone } = usePreferences();
  const navigate = useNavigate();
  const mayRead = useAllowed(needs);
  const nameOf = useUserNames();
  const apl = auditQuery(show, qs);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit', apl, from],
    enabled: mayRead,
    staleTime: 0,
    queryFn: async ({ signal }) => entriesOf(await runQuery({ apl, from, to: 'now', rows: MAX_SHOWN }, 'rows', signal)),
  });
  const actor = (entry: Entry): string => (entry.userId === '' ? entry.actorKind : nameOf(entry.userId));
  return (
    <Page
      title="Audit"
      flow={error !== null ? 'failed' : isFetching ? 'running' : 'idle'}
      bar={
        <>
          <BarSpace />
          <Select label="Range" bare value={from} choices={ranges} onChange={(next) => change({ from: next })} />
          <Button
            needs={needs}
            onPress={() => void navigate({ to: '/query' as string, search: { q: apl, from, v: 'table' } as never })}
          >
            Open in Query
          </Button>
        </>
      }
    >
      <div className={styles.bar}>
        <div className={styles.presets}>
          <SegmentedInput label="Show" value={show} choices={presets} onChange={(next) => change({ show: next })} />
        </div>
        <TextField
          label="Find in the audit log"
          bare
          type="search"
          placeholder="Search by name, ID or address"
          value={typed}
          onChange={setTyped}
          className={styles.find}
          onKeyDown={(event) => {
            if (event.key === 'Enter') change({ qs: typed });
          }}
        />
      </div>
      {error !== null ? (
        <ErrorState title="Could not load the audit log" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice />
      ) : (
        <>
          <DataTable
            label="Audit log"
            items={data}
            idOf={({ id }) => id}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            onOpen={setOpen}
            empty={
              <EmptyState
                title="No entries match these filters"
                actions={
                  <Button
                    onPress={() => {
                      setTyped('');
                      change({ show: 'all', qs: '', from: 'now-365d' });
                    }}
                  >
                    Show all of the last year
                  </Button>
                }
              />
            }
            columns={[
              {
                id: 'time',
                title: 'Time',
                by: ({ time }) => time,
                cell: ({ time }) => <When at={time} zone={zone} />,
              },
              {
                id: 'outcome',
                title: 'Outcome',
                by: ({ outcome }) => outcome,
                cell: (entry) => <Outcome entry={entry} />,
              },
              {
                id: 'operation',
                title: 'Action',
                isName: true,
                by: ({ operation }) => operation,
                cell: ({ operation }) => <code>{operation}</code>,
              },
              {
                id: 'subject',
                title: 'Resource',
                aside: true,
                cell: ({ subject, path }) => <span className={styles.subject}>{subject === '' ? path : subject}</span>,
              },
              {
                id: 'actor',
                title: 'User',
                by: actor,
                cell: (entry) => <span title={entry.userId || undefined}>{actor(entry)}</span>,
              },
              {
                id: 'token',
                title: 'Token',
                by: ({ tokenName }) => tokenName,
                cell: ({ tokenName }) => tokenName,
                aside: true,
              },
              {
                id: 'address',
                title: 'Address',
                aside: true,
                by: ({ address }) => address,
                cell: ({ address }) => <code>{address}</code>,
              },
            ]}
          />
          {data.length === MAX_SHOWN && (
            <p className={styles.foot}>Showing the latest {MAX_SHOWN}. Open in Query for all.</p>
          )}
        </>
      )}
      {open !== undefined && (
        <EntrySheet entry={open} who={actor(open)} zone={zone} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  );
}

function When({ at, zone }: { readonly at: string; readonly zone: string }) {
  const instant = parseInstant(at);
  return (
    <time dateTime={at} title={at} className={styles.time}>
      {instant === undefined ? at : <DayAndTime text={zonedText(instant, zone, 0)} />}
    </time>
  );
}

/** Phones leave out the year: the range is at most a year. */
const DayAndTime = ({ text }: { readonly text: string }) => (
  <>
    <span className={styles.year}>{text.slice(0, 5)}</span>
    {text.slice(5)}
  </>
);

function entriesOf(answer: Awaited<ReturnType<typeof runQuery>>): readonly Entry[] {
  const source = rowSource([answer]);
  return Array.from({ length: source.rows }, (_, row) => {
    const text = (field: string): string => textOf(source.cell(row, field));
    return {
      id: source.cursor(row) ?? String(row),
      time: text('_time'),
      outcome: text('outcome'),
      operation: text('operation'),
      method: text('method'),
      path: text('path'),
      status: text('status'),
      subject: text('subject'),
      code: text('code'),
      message: text('message'),
      actorKind: text('actor.kind'),
      userId: text('actor.userId'),
      tokenName: text('actor.tokenName'),
      sessionId: text('actor.sessionId'),
      address: text('address'),
      traceId: text('traceId'),
    };
  });
}
