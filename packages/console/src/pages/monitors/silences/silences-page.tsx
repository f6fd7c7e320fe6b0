import { useState } from 'react';
import { type Monitor, type Silence, useMonitors, useSilences } from '../../../data/alerts.js';
import { usePreferences } from '../../../data/preferences.js';
import { queryParam, choiceParam, textParam } from '../../../data/url-params.js';
import { useUrlState } from '../../../data/use-url-state.js';
import { useUserNames } from '../../../data/user-names.js';
import { Chip } from '../../../widgets/chip.js';
import { DataTable } from '../../../widgets/data-table.js';
import { SegmentedInput } from '../../../widgets/inputs/segmented-input.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { RecordPage } from '../../../widgets/record-page.js';
import { RelativeTime } from '../../../widgets/relative-time.js';
import { labelsText } from '../label-lines.js';
import styles from '../monitors.module.css';
import { silencedMonitors, silenceState, type SilenceState, silenceStates, whenText } from './describe-silence.js';
import { SilenceActions } from './silence-actions.js';
import { copyOf, type SilenceDraft } from './silence-draft.js';
import { SilenceDrawer } from './silence-drawer.js';

const params = {
  id: queryParam(textParam()),
  show: choiceParam(['all', ...silenceStates], 'all'),
  q: textParam(),
  sort: textParam('state'),
};
const update = { org: 'monitors', action: 'update' } as const;
const titles = { all: 'All', active: 'Active', upcoming: 'Upcoming', ended: 'Ended' } as const;
const tones = { active: 'warn', upcoming: 'info', ended: 'plain' } as const;

/** Silences and maintenance windows: active, upcoming and ended. */
export function SilencesPage() {
  const [{ id, show, q, sort }, change] = useUrlState(params);
  const { zone } = usePreferences();
  const silences = useSilences();
  const monitors = useMonitors().data ?? [];
  const nameOf = useUserNames();
  const [copied, setCopied] = useState<SilenceDraft>();
  const close = (): void => {
    setCopied(undefined);
    change({ id: '' });
  };
  const open = silences.data?.find((each) => each.id === id);
  const textOf = (silence: Silence): string =>
    [silence.reason, targetText(silence, monitors), nameOf(silence.createdBy)].join(' ').toLowerCase();
  const found = (silences.data ?? []).filter(
    (silence) => (show === 'all' || silenceState(silence) === show) && textOf(silence).includes(q.toLowerCase()),
  );
  return (
    <RecordPage
      title="Silences"
      noun="a silence"
      records={silences}
      isEmpty={({ length }) => length === 0}
      about="A silence stops notifications for a time, once or as a weekly maintenance window. Monitors keep running."
      needs={update}
      onNew={() => change({ id: 'new' })}
      overlay={
        (id === 'new' || open !== undefined) && <SilenceDrawer key={id} silence={open} draft={copied} onClose={close} />
      }
    >
      {(data) => (
        <>
          <div className={styles.tools}>
            <SegmentedInput
              label="State"
              value={show}
              choices={(['all', ...silenceStates] as const).map((each) => ({
                id: each,
                title: `${titles[each]} ${data.filter((silence) => each === 'all' || silenceState(silence) === each).length}`,
              }))}
              onChange={(next) => change({ show: next })}
            />
            <TextField
              label="Filter"
              bare
              type="search"
              placeholder="Reason, monitor, label or author"
              value={q}
              onChange={(next) => change({ q: next })}
              className={styles.search}
            />
          </div>
          <DataTable
            label="Silences"
            items={found}
            idOf={(each) => each.id}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            onOpen={(each) => change({ id: each.id })}
            empty={<p className={styles.nothing}>No silences match these filters.</p>}
            columns={[
              {
                id: 'state',
                title: 'State',
                by: (each) => silenceStates.indexOf(silenceState(each)),
                cell: (each) => <SilenceChip silence={each} state={silenceState(each)} />,
              },
              {
                id: 'reason',
                title: 'Reason',
                isName: true,
                by: ({ reason }) => reason,
                cell: (each) => (
                  <span className={styles.name}>
                    <span className={styles.clamp}>{each.reason}</span>
                    <span className={styles.condition}>{whenText(each, zone)}</span>
                  </span>
                ),
              },
              {
                id: 'target',
                title: 'Silences',
                by: (each) => targetText(each, monitors),
                cell: (each) => <span className={styles.clamp}>{targetText(each, monitors)}</span>,
              },
              {
                id: 'affected',
                title: 'Monitors',
                align: 'end',
                aside: true,
                by: (each) => silencedMonitors(each, monitors).length,
                cell: (each) => silencedMonitors(each, monitors).length,
              },
              {
                id: 'author',
                title: 'Author',
                aside: true,
                by: ({ createdBy }) => nameOf(createdBy),
                cell: ({ createdBy, createdAt }) => (
                  <>
                    {createdBy === '' ? 'link in a message' : nameOf(createdBy)} · <RelativeTime at={createdAt} />
                  </>
                ),
              },
              {
                id: 'actions',
                title: 'Actions',
                unseen: true,
                align: 'end',
                cell: (each) => (
                  <SilenceActions
                    silence={each}
                    state={silenceState(each)}
                    onEdit={() => change({ id: each.id })}
                    onAgain={() => {
                      setCopied(copyOf(each, zone));
                      change({ id: 'new' });
                    }}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </RecordPage>
  );
}

function SilenceChip({ silence, state }: { readonly silence: Silence; readonly state: SilenceState }) {
  const { activeUntil, nextStart, endTime } = silence;
  const at = { active: activeUntil, upcoming: nextStart, ended: endTime }[state];
  const says = { active: 'ends', upcoming: 'starts', ended: '' }[state];
  return (
    <span className={styles.stateCell}>
      <Chip tone={tones[state]}>{titles[state]}</Chip>
      {at !== undefined && (
        <span className={styles.condition}>
          {says} <RelativeTime at={at} />
        </span>
      )}
    </span>
  );
}

/** `team=payments`, `Failed requests`, `groups host=db-1 of all monitors`. */
function targetText({ monitorIds = [], labels = {}, groups = {} }: Silence, monitors: readonly Monitor[]): string {
  const names = monitorIds.map((id) => monitors.find((each) => each.id === id)?.name ?? 'a deleted monitor');
  const wanted = [...names, ...labelsText(labels).split('\n')].filter((each) => each !== '').join(', ');
  const of = labelsText(groups).replaceAll('\n', ', ');
  return of === '' ? wanted : `groups ${of} of ${wanted === '' ? 'all monitors' : wanted}`;
}
