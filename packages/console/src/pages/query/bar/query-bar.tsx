import { ChevronDown, Play, Square } from 'lucide-react';
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
import { MoreMenu, ShareMenu } from './query-menus.js';
import { Running } from './running.js';
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
  const { access, result, text, dataset, view, dirty, onRun, onDataset } = props;
  const { state, zone, ask, change } = access;
  return (
    <>
      <DatasetPicker dataset={dataset} onDataset={onDataset} />
      <BarSpace />
      {dirty && (
        <span className={styles.dirty} role="status">
          query changed
        </span>
      )}
      <Cost text={text} range={state} />
      <TimeField
        range={state}
        zone={zone}
        open={props.timeOpen}
        onOpen={props.onTimeOpen}
        onRange={({ from, to }) =>
          from === state.from && to === state.to
            ? result.again()
            : ask({ from, to, ...(text !== state.q && { q: text }) })
        }
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
      {result.running ? (
        <Button kind="danger" onPress={result.stop} hint="Cancel the query">
          <Square aria-hidden /> Stop <Running text={state.q} />
        </Button>
      ) : (
        <Button kind="primary" onPress={onRun} disabled={text.trim() === ''}>
          <Play aria-hidden /> Run
        </Button>
      )}
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
              { id: 'auto', title: 'Auto', run: () => change({ v: 'auto' }) },
              ...Object.entries(viewTitles).map(([id, title], index) => ({
                id,
                title,
                keys: `v ${index + 1}`,
                run: () => change({ v: id as View }),
              })),
            ],
          },
        ]}
      />
      <ShareMenu access={access} result={result} text={text} view={view} />
      <MoreMenu access={access} result={result} fields={props.fields} onSheet={props.onSheet} />
    </>
  );
}
