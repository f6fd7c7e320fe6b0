import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { datasetText } from '../../../data/apl-text.js';
import { type Cell, textOf } from '../../../data/results/cells.js';
import { runQuery } from '../../../data/run-query.js';
import { instantText, MINUTE, parseInstant } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import { conditionText } from '../../../editor/edits.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { type FieldRoles, useFieldRoles } from '../../../rows/field-roles.js';
import { levelField, messageField } from '../../../rows/known-fields.js';
import { LevelMark } from '../../../rows/level-mark.js';
import { type RowSource, rowSource } from '../../../rows/row-source.js';
import { Button } from '../../../widgets/inputs/button.js';
import { cx } from '../../../widgets/class-names.js';
import { UntrustedText } from '../../../widgets/untrusted-text.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from './detail.module.css';

/** Fields that nearby events are likely to share. */
const SAME = ['service', 'service.name', 'host', 'hostname', 'pod', 'k8s.pod.name', 'app', 'trace_id', 'request_id'];
const SIZES = [20, 100, 500] as const;
/** Time before and after the event to search. */
const AROUND = 60n * MINUTE;

interface ContextProps {
  readonly dataset: string;
  readonly cursor: string;
  readonly source: RowSource;
  readonly row: number;
  readonly zone: string;
}

/**
 * Events before and after, in the server's exact order, also for equal timestamps; newest first if
 * the list is.
 */
export function ContextTab({ dataset, cursor, source, row, zone }: ContextProps) {
  const [size, setSize] = useState<(typeof SIZES)[number]>(20);
  const present = SAME.filter((name) => source.cell(row, name) !== null);
  const [same, setSame] = useState<readonly string[]>(present.filter((name) => !name.endsWith('_id')).slice(0, 1));
  const time = parseInstant(textOf(source.cell(row, '_time')));
  // In the order of the list.
  const isOldestFirst = runsOldestFirst(source);
  const roles = useFieldRoles(dataset);
  const { data, error, refetch } = useQuery({
    queryKey: ['context', dataset, cursor, size, same],
    queryFn: async ({ signal }) => {
      const conditions = same.map((name) => {
        const type = source.fields.find((each) => each.name === name)?.type ?? 'string';
        return `| where ${conditionText(name, source.cell(row, name), type, 'include')}`;
      });
      const request = {
        apl: [datasetText(dataset), ...conditions].join('\n'),
        from: instantText(time! - AROUND),
        to: instantText(time! + AROUND),
        cursor,
        rows: size,
      };
      const [before, after] = await Promise.all([
        runQuery({ ...request, order: 'newest' }, 'aside', signal),
        runQuery({ ...request, order: 'oldest' }, 'aside', signal),
      ]);
      return { before: rowSource([before]), after: rowSource([after]) };
    },
    enabled: time !== undefined,
    staleTime: Infinity,
  });
  return (
    <div className={styles.context}>
      <div className={styles.chips}>
        {present.map((name) => (
          <Button
            key={name}
            small
            pressed={same.includes(name)}
            kind={same.includes(name) ? 'plain' : 'quiet'}
            onPress={() => setSame(same.includes(name) ? same.filter((each) => each !== name) : [...same, name])}
          >
            same {visibleText(`${name}: ${textOf(source.cell(row, name)).slice(0, 24)}`)}
          </Button>
        ))}
        {SIZES.map((each) => (
          <Button key={each} small kind="quiet" pressed={each === size} onPress={() => setSize(each)}>
            {each}
          </Button>
        ))}
      </div>
      {error !== null && <ErrorState title="Could not load context" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingNotice />}
      {data !== undefined && (
        <ol aria-label="Surrounding events">
          {isOldestFirst ? lines(data.before, zone, roles).reverse() : lines(data.after, zone, roles).reverse()}
          <ContextLine source={source} row={row} zone={zone} roles={roles} here />
          {isOldestFirst ? lines(data.after, zone, roles) : lines(data.before, zone, roles)}
        </ol>
      )}
    </div>
  );
}

/** Whether the first row is older than the last. */
export function runsOldestFirst(source: RowSource): boolean {
  const [first, last] = [0, source.rows - 1].map((row) => parseInstant(textOf(source.cell(row, '_time'))));
  return first !== undefined && last !== undefined && first < last;
}

const lines = (source: RowSource, zone: string, roles: FieldRoles) =>
  Array.from({ length: source.rows }, (_, row) => (
    <ContextLine key={source.cursor(row) ?? row} source={source} row={row} zone={zone} roles={roles} />
  ));

function ContextLine({
  source,
  row,
  zone,
  roles,
  here = false,
}: Pick<ContextProps, 'source' | 'row' | 'zone'> & { readonly roles: FieldRoles; readonly here?: boolean }) {
  const time = parseInstant(textOf(source.cell(row, '_time')));
  const message = messageField(source.fields, roles);
  const messageCell: Cell = message === undefined ? null : source.cell(row, message);
  const level = levelField(source.fields, roles);
  const text =
    messageCell === null
      ? source
          .present(row)
          .filter(({ name }) => !name.startsWith('_'))
          .slice(0, 8)
          .map(({ name }) => `${name}=${textOf(source.cell(row, name)).slice(0, 60)}`)
          .join(' ')
      : textOf(messageCell).slice(0, 400);
  return (
    <li className={cx(styles.contextLine, here && styles.this)} {...(here && { 'aria-current': true as const })}>
      <time>{time === undefined ? '' : zonedText(time, zone, 3).slice(11)}</time>
      <LevelMark cell={level === undefined ? null : source.cell(row, level)} />
      <span className={styles.contextText}>
        <UntrustedText text={text} />
      </span>
    </li>
  );
}
