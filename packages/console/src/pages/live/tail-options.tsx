import { useEffect, useState } from 'react';
import { MAX_MARKS } from '../../rows/highlights.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './live.module.css';

/** Display options: fields and highlighted words. */
export const TailLook = ({
  fields,
  words,
  onFields,
  onWords,
}: {
  readonly fields: readonly string[];
  readonly words: readonly string[];
  readonly onFields: (next: readonly string[]) => void;
  readonly onWords: (next: readonly string[]) => void;
}) => (
  <div className={styles.look}>
    <ListField label="Fields" placeholder="Fields (default: all)" items={fields} onItems={onFields} />
    <ListField
      label="Highlight"
      placeholder="Highlight: word, word"
      items={words}
      onItems={(next) => onWords(next.slice(0, MAX_MARKS))}
    />
  </div>
);

/** A comma-separated field that commits on Enter or blur. */
function ListField({
  label,
  placeholder,
  items,
  onItems,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly string[];
  readonly onItems: (next: readonly string[]) => void;
}) {
  const kept = items.join(', ');
  const [text, setText] = useState(kept);
  useEffect(() => setText(kept), [kept]);
  const take = (): void => {
    const next = text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (next.join(', ') !== kept) onItems(next);
  };
  return (
    <TextField
      label={label}
      bare
      mono
      className={styles.lookField}
      placeholder={placeholder}
      value={text}
      onChange={setText}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}
