import { useState } from 'react';
import { useCatalog } from '../../../data/catalog.js';
import { withCondition } from '../../../editor/edits.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Chip } from '../../../widgets/chip.js';
import { SegmentedInput } from '../../../widgets/inputs/segmented-input.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../../widgets/states.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import type { ViewProps } from '../result/views.js';
import { BEFORE, boundsOfCondition, inWords } from './comparison.js';
import { SpotlightCard } from './spotlight-card.js';
import styles from './spotlight.module.css';
import { useDistributions, useSpotlight } from './use-spotlight.js';

/** Differences between selected events and the baseline, largest first. */
export function SpotlightView({ access, outline, run, result }: ViewProps) {
  const { state, zone, change } = access;
  const { data: found, error, refetch } = useSpotlight(state, outline);
  const { data: distributions } = useDistributions(state, outline, found);
  const known = useCatalog()?.datasets.find(({ name }) => name === outline?.source?.name)?.fields ?? [];
  const typeOf = (field: string): string =>
    known.find(({ name }) => name === field)?.type ??
    result.source.fields.find(({ name }) => name === field)?.type ??
    'string';
  if (outline?.source === undefined)
    return (
      <EmptyState title="Nothing to compare">Spotlight compares events of a dataset; this query has none.</EmptyState>
    );
  return (
    <div className={styles.view}>
      <SpotlightSettings access={access} onShowOnly={() => run(withCondition(state.q, outline, state.sel))} />
      {state.sel === '' ? (
        <EmptyState title="Select events to compare">
          Drag across the histogram and press <kbd>x</kbd>, choose <em>Compare</em> in the menu of a value, or write a
          condition above: <code>status &gt;= 500</code>.
        </EmptyState>
      ) : error !== null ? (
        <ErrorState title="Could not compare" error={error} onRetry={() => void refetch()} />
      ) : found === undefined ? (
        <LoadingNotice lines={8} />
      ) : (
        <>
          <p className={styles.sentence} role="status">
            <strong data-side="selected">{found.selected.toLocaleString('en')} selected</strong> against{' '}
            <strong data-side="others">{found.others.toLocaleString('en')} others</strong>: {inWords(state.base)}.
          </p>
          {found.different.length === 0 ? (
            <EmptyState title="No difference">
              {found.selected === 0 || found.others === 0
                ? 'One side has no events.'
                : 'No field differs between selection and baseline.'}
            </EmptyState>
          ) : (
            <ol className={styles.cards} aria-label="Fields that differ">
              {found.different.map((difference) => (
                <SpotlightCard
                  key={difference.field}
                  difference={difference}
                  found={found}
                  type={typeOf(difference.field)}
                  zone={zone}
                  distribution={distributions?.get(difference.field)}
                />
              ))}
            </ol>
          )}
          <FoldedFields title="explained by the selection" fields={found.explained} />
          <FoldedFields title="no difference, or unique per event" fields={found.alike} />
          <MoreFields fields={state.with} onFields={(next) => change({ with: next })} />
        </>
      )}
    </div>
  );
}

/** Editor for the selection and the baseline. */
function SpotlightSettings({ access, onShowOnly }: Pick<ViewProps, 'access'> & { readonly onShowOnly: () => void }) {
  const { state, change } = access;
  const [typed, setTyped] = useState<string>();
  const isOther = state.base !== '' && state.base !== BEFORE;
  return (
    <div className={styles.asked}>
      <TextField
        label="Selected events"
        mono
        value={typed ?? state.sel}
        onChange={setTyped}
        placeholder="status >= 500"
        className={styles.condition}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed === undefined) return;
          change({ sel: typed.trim(), base: '' });
          setTyped(undefined);
        }}
      />
      <span className={styles.against}>against</span>
      {isOther ? (
        <Chip onRemove={() => change({ base: '' })} removeLabel="Against the rest of the range">
          {state.base}
        </Chip>
      ) : (
        <SegmentedInput
          label="Compared with"
          value={state.base === BEFORE ? BEFORE : 'rest'}
          choices={[
            { id: 'rest', title: 'The rest of the range' },
            ...(boundsOfCondition(state.sel) === undefined ? [] : [{ id: BEFORE, title: 'Previous period' }]),
          ]}
          onChange={(next) => change({ base: next === BEFORE ? BEFORE : '' })}
        />
      )}
      <Button small disabled={state.sel === ''} onPress={onShowOnly}>
        Show only these
      </Button>
    </div>
  );
}

const FoldedFields = ({ title, fields }: { readonly title: string; readonly fields: readonly string[] }) =>
  fields.length === 0 ? null : (
    <details className={styles.folded}>
      <summary>
        {fields.length} {fields.length === 1 ? 'field' : 'fields'} {title}
      </summary>
      <p>{fields.join(' · ')}</p>
    </details>
  );

/**
 * `*` covers the columns of the dataset: rare fields and keys of map fields are compared only when
 * named.
 */
function MoreFields({
  fields,
  onFields,
}: {
  readonly fields: readonly string[];
  readonly onFields: (next: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <div className={styles.asked}>
      <TextField
        label="Another field"
        bare
        mono
        value={typed}
        onChange={setTyped}
        placeholder="a rare field, or a key of a map"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return;
          onFields([...fields, typed.trim()]);
          setTyped('');
        }}
      />
      <span className={styles.note}>Name a rare field or map key to compare it.</span>
      {fields.map((field) => (
        <Chip key={field} onRemove={() => onFields(fields.filter((each) => each !== field))}>
          {field}
        </Chip>
      ))}
    </div>
  );
}
