import { ChevronDown, Play, Square } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { setPreferences } from '../../../data/preferences.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Menu } from '../../../widgets/overlays/menu.js';
import { BarSpace } from '../../../widgets/page.js';
import { Cost } from '../../../workbench/cost.js';
import { DatasetPicker } from '../../../workbench/dataset-picker.js';
import styles from '../query.module.css';
import type { FieldsPanel } from '../fields/use-fields-panel.js';
import type { QueryStateAccess, ShownView, View } from '../query-state.js';
import { refreshMilliseconds } from '../use-refresh.js';
import { QueryMenu, ShareMenu } from './query-menus.js';
import { RunningNotice } from './running-notice.js';
import type { SheetName } from '../drawers/query-drawers.js';
import { TimeField } from '../../../widgets/inputs/time-field.js';
import type { Result } from '../use-result.js';

const viewTitles: Readonly<Record<ShownView, string>> = {
  log: 'Log',
  table: 'Table',
  json: 'JSON',
  chart: 'Chart',
  patterns: 'Patterns',
  spotlight: 'Spotlight',
};

/** Dataset, time, run, cost, view, share, more. */
export function QueryBar(props: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly text: string;
  /** Dataset of the query, or of searches. */
  readonly dataset: string | undefined;
  readonly view: ShownView;
  readonly dirty: boolean;
  readonly fields: FieldsPanel;
  readonly timeOpen: boolean;
  readonly onTimeOpen: (open: boolean) => void;
  readonly onRun: () => void;
  readonly onSheet: (sheet: SheetName) => void;
  readonly onDataset: (name: string) => void;
}) {
  const { access, result, text, dataset, view, dirty, fields, timeOpen } = props;
  const { state, zone, ask, change } = access;
  const latest = useRef(props);
  latest.current = props;
  // Menus and the time field do not depend on the text: typing renders neither.
  const picker = useMemo(
    () => <DatasetPicker dataset={dataset} onDataset={(name) => latest.current.onDataset(name)} />,
    [dataset],
  );
  const time = useMemo(
    () => (
      <TimeField
        range={state}
        zone={zone}
        open={timeOpen}
        onOpen={(open) => latest.current.onTimeOpen(open)}
        onRange={({ from, to }) => {
          const { text: q } = latest.current;
          if (from === state.from && to === state.to) result.again();
          else ask({ from, to, ...(q !== state.q && { q }) });
        }}
        onZone={(next) => {
          setPreferences({ zone: next });
          change({ tz: '' });
        }}
        refresh={{
          value: state.every,
          choices: Object.keys(refreshMilliseconds),
          onChange: (every) => change({ every: every as typeof state.every }),
        }}
      />
    ),
    [state, zone, timeOpen, result, ask, change],
  );
  const menus = useMemo(
    () => (
      <>
        <ViewMenu view={view} onView={(v) => change({ v })} />
        <ShareMenu access={access} result={result} textNow={() => latest.current.text} view={view} />
        <QueryMenu access={access} result={result} fields={fields} onSheet={(sheet) => latest.current.onSheet(sheet)} />
      </>
    ),
    [view, access, result, fields, change],
  );
  const isEmpty = text.trim() === '';
  const action = useMemo(
    () =>
      result.running ? (
        <Button kind="danger" onPress={result.stop} hint="Cancel the query">
          <Square aria-hidden /> Stop <RunningNotice text={state.q} />
        </Button>
      ) : (
        <Button kind="primary" onPress={() => latest.current.onRun()} disabled={isEmpty}>
          <Play aria-hidden /> Run
        </Button>
      ),
    [result, state.q, isEmpty],
  );
  return (
    <>
      {picker}
      <BarSpace />
      {dirty && (
        <span className={styles.dirty} role="status">
          query changed
        </span>
      )}
      <Cost text={text} range={state} />
      {time}
      {action}
      {menus}
    </>
  );
}

const ViewMenu = ({ view, onView }: { readonly view: ShownView; readonly onView: (view: View) => void }) => (
  <Menu
    label="View"
    button={
      <Button kind="quiet" label={`View: ${viewTitles[view]}`}>
        {viewTitles[view]}
        <ChevronDown aria-hidden />
      </Button>
    }
    groups={[
      {
        entries: [
          { id: 'auto', title: 'Auto', run: () => onView('auto') },
          ...Object.entries(viewTitles).map(([id, title], index) => ({
            id,
            title,
            keys: `v ${index + 1}`,
            run: () => onView(id as View),
          })),
        ],
      },
    ]}
  />
);
