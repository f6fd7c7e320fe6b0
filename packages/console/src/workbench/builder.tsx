import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { conditionFromShorthand, withCondition, removeStep } from '../editor/edits.js';
import type { Outline } from '../editor/outline.js';
import { type Part, partsOf } from './builder-parts.js';
import { Button } from '../widgets/inputs/button.js';
import { TextField } from '../widgets/inputs/text-field.js';
import styles from './workbench.module.css';

/**
 * The query as chips. A chip is a view of a text range: editing it replaces that range only, so
 * comments, line breaks and other text stay.
 */
export function Builder({
  text,
  outline,
  onText,
}: {
  readonly text: string;
  readonly outline: Outline | undefined;
  readonly onText: (text: string) => void;
}) {
  const [editing, setEditing] = useState<Part | 'new'>();
  const [draft, setDraft] = useState('');
  const group = useRef<HTMLDivElement>(null);
  /** Restores the focus after an edit ended by keyboard. */
  const back = useRef<number>(undefined);
  useEffect(() => {
    if (editing !== undefined || back.current === undefined) return;
    const buttons = group.current?.querySelectorAll<HTMLElement>('[data-step], :scope > button');
    [...(buttons ?? [])].at(back.current)?.focus();
    back.current = undefined;
  });
  // Reserves its space, so that content below does not move while typing.
  if (outline === undefined || !outline.valid || outline.source === undefined)
    return <div className={styles.builder} />;
  const { parts, more } = partsOf(outline);
  const start = (part: Part | 'new'): void => {
    setDraft(part === 'new' ? '' : text.slice(part.start, part.end));
    setEditing(part);
  };
  const finish = (): void => {
    const part = editing;
    setEditing(undefined);
    if (part === undefined || draft.trim() === '') return;
    if (part === 'new') onText(withCondition(text, outline, conditionFromShorthand(draft)));
    else if (draft !== text.slice(part.start, part.end)) {
      const changed = part.kind === 'where' ? conditionFromShorthand(draft) : draft;
      onText(text.slice(0, part.start) + changed + text.slice(part.end));
    }
  };
  const field = (
    <TextField
      label={editing === 'new' ? 'New filter' : 'Step'}
      bare
      mono
      autoFocus
      className={styles.stepInput}
      value={draft}
      onChange={setDraft}
      placeholder="status>=500 · -level:debug · any condition"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        back.current = editing === 'new' ? -1 : parts.findIndex(({ start }) => start === editing?.start);
        if (event.key === 'Enter') finish();
        else setEditing(undefined);
        // The same key must not activate the newly focused control.
        event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={() => setEditing(undefined)}
    />
  );
  return (
    <div ref={group} className={styles.builder} role="group" aria-label="Query steps">
      {parts.map((part) => {
        if (editing !== undefined && editing !== 'new' && editing.start === part.start)
          return <span key={part.start}>{field}</span>;
        const shown = text.slice(part.start, part.end).replaceAll(/\s+/g, ' ');
        const body = part.kind === 'where' ? shown : shown.slice(part.kind.length).trim();
        return (
          <span key={part.start} className={styles.stepFrame}>
            <button type="button" data-step className={styles.step} title={shown} onClick={() => start(part)}>
              <span className={styles.kind}>{part.kind}</span> {body}
            </button>
            <button
              type="button"
              className={styles.drop}
              aria-label={`Remove ${shown}`}
              onClick={() => onText(removeStep(text, outline, part))}
            >
              ×
            </button>
          </span>
        );
      })}
      {more > 0 && <span className={styles.place}>and {more} more</span>}
      {editing === 'new' ? (
        field
      ) : (
        <Button small kind="quiet" onPress={() => start('new')}>
          <Plus aria-hidden /> Filter
        </Button>
      )}
    </div>
  );
}
