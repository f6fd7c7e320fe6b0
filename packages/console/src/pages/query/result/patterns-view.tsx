import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldText, stringText } from '../../../data/apl-text.js';
import { textOf } from '../../../data/results/cells.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { runQuery } from '../../../data/run-query.js';
import { datasetOf, useFieldRoles } from '../../../rows/field-roles.js';
import { messageField } from '../../../rows/known-fields.js';
import { withCondition } from '../../../editor/edits.js';
import { Button } from '../../../widgets/inputs/button.js';
import { DataTable } from '../../../widgets/data-table.js';
import { Select } from '../../../widgets/inputs/select.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from '../query.module.css';
import type { ViewProps } from './views.js';

interface Pattern {
  readonly template: string;
  readonly count: number;
}

/** Message templates of a field: frequent and rare ones. */
export function PatternsView({ access, result, outline, run }: ViewProps) {
  const { state } = access;
  const texts = result.source.fields.filter(({ type }) => type.includes('string')).map(({ name }) => name);
  const [chosen, setChosen] = useState<string>();
  const [sort, setSort] = useState('-count');
  const roles = useFieldRoles(datasetOf(result.answer));
  const field = chosen ?? messageField(result.source.fields, roles) ?? texts[0];
  const events = outline?.source === undefined ? '' : state.q.slice(0, outline.eventsEnd).trimEnd();
  const { data, error, refetch } = useQuery({
    queryKey: ['patterns', events, state.from, state.to, state.asof, field],
    queryFn: async ({ signal }): Promise<readonly Pattern[]> => {
      const apl = `${events}\n| where isnotnull(${fieldText(field!)})\n| reduce by ${fieldText(field!)}`;
      const { table } = await runQuery(
        { apl, from: state.from, to: state.to, ...(state.asof !== '' && { asOf: state.asof }) },
        'rows',
        signal,
      );
      const column = (name: string) => table.columns[table.head.fields.findIndex((each) => each.name === name)] ?? [];
      const counts = column('Count').length > 0 ? column('Count') : column('count_');
      return (column('Pattern').length > 0 ? column('Pattern') : (table.columns[0] ?? [])).map((cell, row) => ({
        template: textOf(cell),
        count: Number(counts[row] ?? 0),
      }));
    },
    enabled: events !== '' && field !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  if (field === undefined || events === '')
    return <EmptyState title="No patterns">Patterns need a string field from a dataset.</EmptyState>;
  if (error !== null)
    return <ErrorState title="Could not load patterns" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  const total = data.reduce((sum, { count }) => sum + count, 0);
  const keep = (template: string, how: 'include' | 'exclude') => (): void => {
    const regex = template
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*');
    const test = `${fieldText(field)} matches regex ${stringText(`^${regex}$`)}`;
    if (outline !== undefined) run(withCondition(state.q, outline, how === 'include' ? test : `not(${test})`));
  };
  return (
    <>
      <div className={styles.chartTools}>
        <Select
          label="Field"
          bare
          value={field}
          choices={texts.map((id) => ({ id, title: id }))}
          onChange={setChosen}
        />
        <span>
          {data.length} patterns of {total.toLocaleString('en')} events
        </span>
      </div>
      <DataTable
        label="Patterns"
        items={data}
        idOf={({ template }) => template}
        sort={sort}
        onSort={setSort}
        columns={[
          {
            id: 'count',
            title: 'Events',
            align: 'end',
            width: 90,
            cell: ({ count }) => count.toLocaleString('en'),
            by: ({ count }) => count,
          },
          {
            id: 'share',
            title: 'Share',
            align: 'end',
            width: 80,
            aside: true,
            cell: ({ count }) => `${((100 * count) / total).toFixed(1)}%`,
          },
          {
            id: 'template',
            title: 'Pattern',
            isName: true,
            by: ({ template }) => template,
            cell: ({ template }) => <Template text={template} />,
          },
          {
            id: 'actions',
            title: 'Filter',
            width: 170,
            cell: ({ template }) => (
              <>
                <Button small kind="quiet" onPress={keep(template, 'include')}>
                  Include
                </Button>
                <Button small kind="quiet" onPress={keep(template, 'exclude')}>
                  Exclude
                </Button>
              </>
            ),
          },
        ]}
      />
    </>
  );
}

/** Quoted if it would be invisible. */
const Template = ({ text }: { readonly text: string }) => (
  <bdi className={styles.pattern}>
    {(text.trim() === '' ? JSON.stringify(text) : text).split('*').flatMap((part, index) =>
      index === 0
        ? [visibleText(part)]
        : [
            <span key={index} className={styles.star}>
              *
            </span>,
            visibleText(part),
          ],
    )}
  </bdi>
);
