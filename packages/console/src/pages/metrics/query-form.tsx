import {
  alignmentOf,
  bucketOf,
  groupingOf,
  type MplOutline,
  withAlignment,
  withBucket,
  withCondition,
  withGrouping,
  withoutCondition,
  withoutStep,
} from '@millrace/mpl/editor';
import type { Metric } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';
import { MultiSelect } from '../../widgets/inputs/multi-select.js';
import { Select } from '../../widgets/inputs/select.js';
import { FilterForm } from './filter-form.js';
import styles from './metrics.module.css';
import { AUTO_WIDTH, isHistogram, quantilesOf } from './starter-query.js';

/** What becomes of the values of a window. */
const values: readonly { readonly id: string; readonly title: string; readonly description?: string }[] = [
  { id: 'avg', title: 'Average' },
  { id: 'min', title: 'Minimum' },
  { id: 'max', title: 'Maximum' },
  { id: 'sum', title: 'Sum' },
  { id: 'last', title: 'Last' },
  { id: 'count', title: 'Number of points' },
  { id: 'prom::rate', title: 'Rate per second', description: 'of counters; a fall is a reset' },
];
const QUANTILES = 'quantiles';

const groupings = [
  { id: '', title: 'Each series' },
  { id: 'sum', title: 'Sum' },
  { id: 'avg', title: 'Average' },
  { id: 'min', title: 'Minimum' },
  { id: 'max', title: 'Maximum' },
  { id: 'count', title: 'Number of series' },
];

const WHOLE_RANGE = 'range';
const widths = [
  { id: AUTO_WIDTH, title: 'Automatic' },
  ...['10s', '30s', '1m', '5m', '15m', '1h', '6h', '1d'].map((id) => ({ id, title: id })),
  { id: WHOLE_RANGE, title: 'The whole range' },
];

/** Adds a choice that the list lacks, such as a width in the text. */
const includeChoice = <T extends { readonly id: string; readonly title: string }>(choices: readonly T[], id: string) =>
  choices.some((choice) => choice.id === id) ? choices : [...choices, { id, title: id }];

/** The query as a form. A control changes its part of the text only. */
export function QueryForm({
  text,
  parts,
  metric,
  tags,
  range,
  onText,
}: {
  readonly text: string;
  readonly parts: MplOutline;
  readonly metric: Metric | undefined;
  readonly tags: readonly string[];
  readonly range: Range;
  readonly onText: (text: string) => void;
}) {
  const [align, group, bucket] = [alignmentOf(parts), groupingOf(parts), bucketOf(parts)];
  const histogram = metric !== undefined && isHistogram(metric);
  const width = (bucket ?? align)?.width;
  const by = (bucket ?? group)?.by ?? [];
  const setWidth = (id: string): void => {
    const next = id === WHOLE_RANGE ? undefined : id;
    if (bucket !== undefined) onText(withBucket(text, parts, { call: bucket.call, by, width: next }));
    else onText(withAlignment(text, parts, { fn: align?.fn ?? 'avg', width: next }));
  };
  const setValue = (id: string): void => {
    if (id === QUANTILES && metric !== undefined)
      onText(withBucket(text, parts, { call: quantilesOf(metric), by, width: width ?? AUTO_WIDTH }));
    else onText(withAlignment(text, parts, { fn: id, width: width ?? AUTO_WIDTH }));
  };
  const setBy = (next: readonly string[]): void => {
    if (bucket !== undefined) onText(withBucket(text, parts, { call: bucket.call, width, by: next }));
    else onText(withGrouping(text, parts, { fn: group?.fn ?? 'sum', by: next }));
  };
  const value = bucket !== undefined ? QUANTILES : (align?.fn ?? '');
  const offered = [
    ...(align === undefined && bucket === undefined ? [{ id: '', title: 'Last (automatic)' }] : []),
    ...values,
    ...(histogram || bucket !== undefined
      ? [{ id: QUANTILES, title: 'Quantiles', description: 'of the histogram' }]
      : []),
  ];
  const others = parts.steps.filter(({ kind }) => kind === 'other');
  return (
    <div className={styles.form} role="group" aria-label="Query form">
      <Select
        label="Value"
        className={styles.choice}
        value={value}
        choices={includeChoice(offered, value)}
        onChange={setValue}
      />
      <Select
        label="Window"
        className={styles.choice}
        value={align === undefined && bucket === undefined ? AUTO_WIDTH : (width ?? WHOLE_RANGE)}
        choices={includeChoice(widths, width ?? WHOLE_RANGE)}
        onChange={setWidth}
      />
      {bucket === undefined && (
        <Select
          label="Series"
          className={styles.choice}
          value={group?.fn ?? ''}
          choices={includeChoice(groupings, group?.fn ?? '')}
          onChange={(fn) => onText(withGrouping(text, parts, fn === '' ? undefined : { fn, by }))}
        />
      )}
      <div className={styles.choice}>
        <MultiSelect
          label="Group by"
          values={by}
          choices={[...new Set([...by, ...tags])]}
          all="No tag"
          onChange={setBy}
        />
      </div>
      <FilterForm
        dataset={parts.dataset.text}
        metric={metric?.name}
        tags={tags}
        range={range}
        onCondition={(condition) => onText(withCondition(text, parts, condition))}
      />
      {(parts.filters.length > 0 || others.length > 0) && (
        <ul className={styles.chips} aria-label="Filters and other steps">
          {parts.filters.map(({ span }) => (
            <Part
              key={span.start}
              text={text.slice(span.start, span.end)}
              onRemove={() => onText(withoutCondition(text, parts, span))}
            />
          ))}
          {others.map(({ span }) => (
            <Part
              key={span.start}
              text={text.slice(span.start, span.end)}
              onRemove={() => onText(withoutStep(text, span))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const Part = ({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) => (
  <li className={styles.chip}>
    <code title={text}>{text}</code>
    <button type="button" className={styles.drop} aria-label={`Remove ${text}`} onClick={onRemove}>
      ×
    </button>
  </li>
);
