import { useCallback, useMemo, useState } from 'react';
import type { Cell } from '../data/results/cells.js';
import { jsonOf } from './event-json.js';
import { type JsonNode, parseJson } from './json-parse.js';
import { UntrustedText } from '../widgets/untrusted-text.js';
import type { RowSource } from './row-source.js';
import styles from './json-tree.module.css';

/** Properties shown at first; the others on demand. */
const MAX_MEMBERS = 100;
const OPEN_DEPTH = 2;

/** An event as collapsible JSON. Of a hundred thousand fields only visible ones are parsed. */
export function EventTree({
  source,
  row,
  label,
}: {
  readonly source: RowSource;
  readonly row: number;
  readonly label: string;
}) {
  const names = useMemo(() => source.present(row).map(({ name }) => name), [source, row]);
  const entry = useCallback(
    (index: number): Entry => [names[index], nodeOf(source.cell(row, names[index]!))],
    [source, row, names],
  );
  return (
    <ul className={styles.tree} aria-label={label}>
      <Branch brackets="{}" size={names.length} entry={entry} depth={0} />
    </ul>
  );
}

type Entry = readonly [name: string | undefined, node: JsonNode];

function nodeOf(cell: Cell): JsonNode {
  const text = jsonOf(cell);
  return parseJson(text) ?? { kind: 'scalar', text, type: 'string' };
}

function Node({
  name,
  node,
  depth,
}: {
  readonly name: string | undefined;
  readonly node: JsonNode;
  readonly depth: number;
}) {
  const entry = useCallback(
    (index: number): Entry =>
      node.kind === 'array'
        ? [undefined, node.items[index]!]
        : node.kind === 'object'
          ? node.members[index]!
          : [undefined, node],
    [node],
  );
  if (node.kind === 'scalar')
    return (
      <li>
        <Name name={name} />
        <span className={styles[node.type]}>
          <UntrustedText text={node.text} />
        </span>
      </li>
    );
  return node.kind === 'array' ? (
    <Branch name={name} brackets="[]" size={node.items.length} entry={entry} depth={depth} />
  ) : (
    <Branch name={name} brackets="{}" size={node.members.length} entry={entry} depth={depth} />
  );
}

const Name = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : (
    <span className={styles.name}>
      <UntrustedText text={JSON.stringify(name)} />:{' '}
    </span>
  );

/** An object or array: shows its first items, and all on demand. */
function Branch({
  name,
  brackets: [begin, end],
  size,
  entry,
  depth,
}: {
  readonly name?: string | undefined;
  readonly brackets: string;
  readonly size: number;
  readonly entry: (index: number) => Entry;
  readonly depth: number;
}) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(MAX_MEMBERS);
  const entries = useMemo(
    () => (open ? Array.from({ length: Math.min(size, shown) }, (_, index) => entry(index)) : []),
    [open, size, shown, entry],
  );
  if (size === 0)
    return (
      <li>
        <Name name={name} />
        {begin}
        {end}
      </li>
    );
  return (
    <li>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? '▾' : '▸'}
        <Name name={name} />
        {open ? begin : `${begin} ${size} ${end}`}
      </button>
      {open && (
        <>
          <ul className={styles.members}>
            {entries.map(([key, value], index) => (
              <Node key={index} name={key} node={value} depth={depth + 1} />
            ))}
          </ul>
          {size > shown && (
            <button type="button" className={styles.fold} onClick={() => setShown(shown + 1000)}>
              … {size - shown} more
            </button>
          )}
          {end}
        </>
      )}
    </li>
  );
}
