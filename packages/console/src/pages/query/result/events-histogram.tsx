import type { Cell } from '../../../data/results/cells.js';
import { zoomedRange } from '../../../data/time/range-commands.js';
import { Histogram } from '../../../charts/histogram.js';
import type { RangeAction } from '../../../charts/histogram-selection.js';
import { conditionText, withCondition } from '../../../editor/edits.js';
import type { Outline } from '../../../editor/outline.js';
import styles from '../query.module.css';
import type { QueryStateAccess } from '../query-state.js';
import { useAnnotations } from './use-annotations.js';
import type { useHistogram } from './use-histogram.js';

/** Bars of the events over time, with annotations; empty space while they are first queried. */
export function EventsHistogram({
  access: { state, zone, ask },
  histogram: { data, isFetching },
  isOld,
  outline,
  dataset,
  fields,
  by,
  actions,
  run,
}: {
  readonly access: QueryStateAccess;
  readonly histogram: Pick<ReturnType<typeof useHistogram>, 'data' | 'isFetching'>;
  /** Whether rows and bars are those of the previous query. */
  readonly isOld: boolean;
  readonly outline: Outline | undefined;
  readonly dataset: string | undefined;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** Field whose values split the bars. */
  readonly by: string | undefined;
  readonly actions: readonly RangeAction[];
  readonly run: (text: string) => void;
}) {
  const marks = useAnnotations(dataset, data);
  if (data === undefined) return isFetching ? <div className={styles.histogramPlace} /> : null;
  const zoomOut = (): void => {
    const next = zoomedRange(state, 2);
    if (next !== undefined) ask(next);
  };
  const filterValue = (cell: Cell, how: 'include' | 'exclude'): void => {
    if (by === undefined || outline === undefined) return;
    const type = fields.find(({ name }) => name === by)?.type ?? 'string';
    const condition = conditionText(by, cell, type, how);
    if (condition !== undefined) run(withCondition(state.q, outline, condition));
  };
  return (
    <div className={isFetching || isOld ? styles.old : undefined}>
      <Histogram
        data={data}
        zone={zone}
        label={`Events of ${dataset ?? 'the query'}`}
        marks={marks}
        actions={actions}
        onZoomOut={zoomOut}
        onValue={filterValue}
      />
    </div>
  );
}
