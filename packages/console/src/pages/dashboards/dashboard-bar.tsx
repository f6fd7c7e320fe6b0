import { Maximize, Pencil, Plus, Redo2, RefreshCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { setPreferences } from '../../data/preferences.js';
import { useStore } from '../../data/store.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { Hint } from '../../widgets/overlays/tooltip.js';
import { Menu } from '../../widgets/overlays/menu.js';
import { MoreMenu } from '../../widgets/overlays/more-menu.js';
import { BarSpace } from '../../widgets/page.js';
import { TimeField } from '../../widgets/inputs/time-field.js';
import styles from './dashboard.module.css';
import type { useBoardParams } from './dashboard-params.js';
import type { DashboardQueryRunner, RefreshCost } from './query-runner.js';
import type { BoardSheet } from './editing/dashboard-drawers.js';
import { backBy } from './element-queries.js';
import { numberText } from '../../charts/units.js';
import type { Draft } from './editing/use-draft.js';

const comparisons = ['', '-1h', '-3h', '-12h', '-1d', '-3d', '-1w', '-2w', '-30d'];
const comparisonTitle = (against: string): string =>
  backBy(against) === undefined ? 'No comparison' : `Compared with ${against.replace(/^-/, '')} earlier`;

const update = { org: 'dashboards', action: 'update' } as const;

/** Time, comparison, refresh and its cost; while editing, the edit actions. */
export function BoardBar({
  draft,
  params,
  runner,
  onSheet,
  onFull,
  onPrint,
}: {
  readonly draft: Draft;
  readonly params: ReturnType<typeof useBoardParams>;
  readonly runner: DashboardQueryRunner;
  readonly onSheet: (sheet: BoardSheet) => void;
  readonly onFull: () => void;
  readonly onPrint: () => void;
}) {
  const [timeOpen, setTimeOpen] = useState(false);
  const cost = useStore(runner.cost);
  const { asking, zone, edit, setEdit } = params;
  const against = backBy(asking.against) === undefined ? '' : asking.against;
  return (
    <>
      <BarSpace />
      {edit && (
        <>
          <Button needs={update} onPress={() => onSheet({ kind: 'add' })}>
            <Plus aria-hidden /> Add
          </Button>
          <IconButton label="Undo" disabled={!draft.canUndo} onPress={draft.undo}>
            <Undo2 />
          </IconButton>
          <IconButton label="Redo" disabled={!draft.canRedo} onPress={draft.redo}>
            <Redo2 />
          </IconButton>
        </>
      )}
      {!edit && cost !== undefined && <Cost cost={cost} every={draft.document.refreshTime} />}
      <TimeField
        range={asking.range}
        zone={zone}
        open={timeOpen}
        onOpen={setTimeOpen}
        onRange={params.setRange}
        onZone={(next) => {
          setPreferences({ zone: next });
          params.setZone();
        }}
      />
      <Menu
        label="Compare with earlier period"
        button={<Button kind="quiet">{against === '' ? 'Compare' : comparisonTitle(against)}</Button>}
        groups={[
          {
            entries: comparisons.map((each) => ({
              id: each === '' ? 'none' : each,
              title: comparisonTitle(each),
              run: () => params.setAgainst(each),
            })),
          },
        ]}
      />
      <IconButton label="Refresh" onPress={() => runner.refresh('wanted')}>
        <RefreshCw />
      </IconButton>
      {edit ? (
        <>
          <Button onPress={() => (draft.isChanged ? onSheet({ kind: 'leave' }) : setEdit(false))}>
            {draft.isChanged ? 'Discard…' : 'Done'}
          </Button>
          <Button kind="primary" needs={update} disabled={!draft.isChanged} onPress={() => onSheet({ kind: 'save' })}>
            Save…
          </Button>
        </>
      ) : (
        <Button needs={update} onPress={() => setEdit(true)}>
          <Pencil aria-hidden /> Edit
        </Button>
      )}
      <IconButton label="Full screen" onPress={onFull}>
        <Maximize />
      </IconButton>
      <MoreMenu
        groups={[
          {
            entries: [
              { id: 'settings', title: 'Settings…', run: () => onSheet({ kind: 'settings' }) },
              { id: 'json', title: 'Edit JSON…', run: () => onSheet({ kind: 'json' }) },
              {
                id: 'marks',
                title: params.marks ? 'Hide annotations' : 'Show annotations',
                run: () => params.setMarks(!params.marks),
              },
              { id: 'tv', title: 'TV link…', run: () => onSheet({ kind: 'tv' }) },
              { id: 'print', title: 'Print or save as PDF', run: onPrint },
            ],
          },
        ]}
      />
    </>
  );
}

/** Bytes that a refresh reads: the cost of the open dashboard. */
function Cost({
  cost: { queries, rows, milliseconds },
  every,
}: {
  readonly cost: RefreshCost;
  readonly every: number;
}) {
  const perMinute = every > 0 ? `, ${numberText((rows * 60) / every, 'Abbreviated')} rows a minute` : '';
  return (
    <Hint text={`${queries} queries in the last refresh${perMinute}`}>
      <Button small kind="quiet" className={styles.cost}>
        {numberText(rows, 'Abbreviated')} rows · {(milliseconds / 1000).toFixed(1)} s
      </Button>
    </Hint>
  );
}
