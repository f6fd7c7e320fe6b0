import { useEffect, useState } from 'react';
import { conditionFromShorthand } from '../../editor/edits.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { parseDurationRange } from './duration-range.js';
import { isFiltered, noFilter, ROOT, type SpanFilter } from './span-query.js';
import styles from './traces.module.css';
import type { Operation } from './use-operations.js';

const kinds = ['server', 'client', 'consumer', 'producer', 'internal'];

/** One control per filter. */
export function Filters({
  filter,
  operations,
  hasKinds,
  onChange,
}: {
  readonly filter: SpanFilter;
  /** Options. */
  readonly operations: readonly Operation[];
  readonly hasKinds: boolean;
  readonly onChange: (change: Partial<SpanFilter>) => void;
}) {
  const services = distinct(operations.map(({ service }) => service));
  const offered = operations.filter(({ service }) => filter.service === '' || service === filter.service);
  return (
    <div className={styles.filters} role="search" aria-label="Which spans">
      <Select
        label="Service"
        className={styles.choice}
        value={filter.service}
        choices={choices('All services', services, filter.service)}
        onChange={(service) => onChange({ service, name: '' })}
      />
      <Select
        label="Operation"
        className={styles.choice}
        value={filter.name}
        choices={choices('Every operation', distinct(offered.map(({ name }) => name)), filter.name)}
        onChange={(name) => onChange({ name })}
      />
      <Select
        label="Kind"
        className={styles.kind}
        value={filter.kind}
        choices={[
          { id: '', title: 'Every kind' },
          { id: ROOT, title: 'Root spans', description: 'spans without a parent' },
          ...(hasKinds ? kinds.map((id) => ({ id, title: id })) : []),
        ]}
        onChange={(kind) => onChange({ kind })}
      />
      <div className={styles.labeled}>
        <span aria-hidden>Outcome</span>
        <SegmentedInput
          label="Outcome"
          value={filter.only}
          choices={[
            { id: 'all', title: 'Any' },
            { id: 'failed', title: 'Failed' },
          ]}
          onChange={(only) => onChange({ only })}
        />
      </div>
      <DurationField took={filter.took} onTook={(took) => onChange({ took })} />
      <ConditionField onCondition={(condition) => onChange({ where: [...filter.where, condition] })} />
      {isFiltered(filter) && (
        <Button small kind="quiet" className={styles.clear} onPress={() => onChange(noFilter)}>
          Clear filters
        </Button>
      )}
      {filter.where.length > 0 && (
        <div className={styles.conditions}>
          {filter.where.map((condition) => (
            <Chip
              key={condition}
              removeLabel={`Remove ${condition}`}
              onRemove={() => onChange({ where: filter.where.filter((each) => each !== condition) })}
            >
              <code>{condition}</code>
            </Chip>
          ))}
        </div>
      )}
    </div>
  );
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].filter((text) => text !== '');

/** A value from a link is an option even if the range lacks it. */
const choices = (any: string, names: readonly string[], chosen: string) => [
  { id: '', title: any },
  ...distinct([...names, chosen]).map((id) => ({ id, title: id })),
];

function DurationField({ took, onTook }: { readonly took: string; readonly onTook: (took: string) => void }) {
  const [text, setText] = useState(took);
  useEffect(() => setText(took), [took]);
  const isWrong = parseDurationRange(text) === undefined;
  const take = (): void => {
    if (!isWrong && text.trim() !== took) onTook(text.trim());
  };
  return (
    <TextField
      label="Duration"
      mono
      className={styles.took}
      placeholder=">100ms, 1ms..2s"
      value={text}
      onChange={setText}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
      problem={isWrong ? 'Such as >100ms, <2s or 1ms..2s' : undefined}
    />
  );
}

function ConditionField({ onCondition }: { readonly onCondition: (condition: string) => void }) {
  const [text, setText] = useState('');
  return (
    <TextField
      label="Attribute"
      mono
      className={styles.attribute}
      placeholder="attributes.http.route=/pay"
      value={text}
      onChange={setText}
      onKeyDown={({ key }) => {
        if (key !== 'Enter' || text.trim() === '') return;
        onCondition(conditionFromShorthand(text));
        setText('');
      }}
    />
  );
}
