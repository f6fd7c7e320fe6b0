import { useMemo, useState } from 'react';
import { type JsonNode, parseJson } from './json-parse.js';
import styles from './json-tree.module.css';

/** Members shown at once; the others on demand. */
const MOST_MEMBERS = 100;
const OPEN_DEPTH = 2;

/** JSON that can be folded. A text that is none stands there as it is. */
export function JsonTree({ text, label }: { readonly text: string; readonly label: string }) {
  // Of a hundred thousand members it takes a while, and the page around it is drawn with every
  // letter that is typed.
  const tree = useMemo(() => parseJson(text), [text]);
  if (tree === undefined) return <pre className={styles.plain}>{text}</pre>;
  return (
    <ul className={styles.tree} aria-label={label}>
      <Node node={tree} depth={0} />
    </ul>
  );
}

function Node({ name, node, depth }: { readonly name?: string; readonly node: JsonNode; readonly depth: number }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(MOST_MEMBERS);
  const label = name === undefined ? null : <span className={styles.name}>{JSON.stringify(name)}: </span>;
  if (node.kind === 'scalar')
    return (
      <li className={styles.node}>
        {label}
        <span className={styles[node.type]}>{node.text}</span>
      </li>
    );
  const entries: readonly (readonly [string | undefined, JsonNode])[] =
    node.kind === 'array' ? node.items.map((item) => [undefined, item] as const) : node.members;
  const [begin, end] = node.kind === 'array' ? '[]' : '{}';
  if (entries.length === 0)
    return (
      <li className={styles.node}>
        {label}
        {begin}
        {end}
      </li>
    );
  return (
    <li className={styles.node}>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? '▾' : '▸'}
        {label}
        {open ? begin : `${begin} ${entries.length} ${end}`}
      </button>
      {open && (
        <>
          <ul className={styles.members}>
            {entries.slice(0, shown).map(([key, value], index) => (
              <Node key={index} {...(key !== undefined && { name: key })} node={value} depth={depth + 1} />
            ))}
          </ul>
          {entries.length > shown && (
            <button type="button" className={styles.fold} onClick={() => setShown(shown + 1000)}>
              … {entries.length - shown} more
            </button>
          )}
          {end}
        </>
      )}
    </li>
  );
}
