import { useMemo } from 'react';
import type { Range } from '../../data/time/ranges.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import { type Chart, nameOf } from './document/document.js';
import { Element } from './element.js';
import type { DashboardState } from './element-queries.js';
import type { DashboardQueryRunner } from './query-runner.js';
import styles from './repeated-element.module.css';
import { copyAsking, repeatedFilterOf, type RepeatedFilter } from './repeats.js';

interface ShownProps {
  readonly chart: Chart;
  readonly asking: DashboardState;
  readonly runner: DashboardQueryRunner;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
}

/** Content of an element: once, or repeated for each value of a filter. */
export function RepeatedPart(props: ShownProps) {
  const repeated = repeatedFilterOf(props.chart, props.asking.repeats);
  return repeated === undefined ? <Element {...props} /> : <Copies {...props} repeated={repeated} />;
}

/** Copies of an element within its frame. */
function Copies({ repeated, ...props }: ShownProps & { readonly repeated: RepeatedFilter }) {
  const { filter, values, total } = repeated;
  return (
    <>
      <ul className={styles.copies} aria-label={`For each value of ${filter.name}`}>
        {values.map((value) => (
          <Copy key={value} {...props} filter={filter} value={value} />
        ))}
      </ul>
      {values.length === 0 && <p className={styles.note}>No values of {filter.name} in this range</p>}
      {total > values.length && (
        <p className={styles.note} role="status">
          The first {values.length} of {total} values: choose some in the filter
        </p>
      )}
    </>
  );
}

function Copy({
  filter,
  value,
  chart,
  asking,
  ...props
}: ShownProps & {
  readonly filter: RepeatedFilter['filter'];
  readonly value: string;
}) {
  const own = useMemo(() => ({ ...chart, name: `${nameOf(chart)}: ${value}` }), [chart, value]);
  const only = useMemo(() => copyAsking(asking, filter, value), [asking, filter, value]);
  return (
    <li className={styles.copy}>
      <h3 className={styles.value}>
        <UntrustedText text={value} />
      </h3>
      <Element {...props} chart={own} asking={only} />
    </li>
  );
}
