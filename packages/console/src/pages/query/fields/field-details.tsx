import { useQuery } from '@tanstack/react-query';
import { fieldText } from '../../../data/apl-text.js';
import { type Cell, textOf } from '../../../data/results/cells.js';
import { parseJson } from '../../../rows/json-parse.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { runQuery } from '../../../data/run-query.js';
import { Value } from '../../../rows/value.js';
import { useValueMenu } from '../../../rows/value-menu.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Menu } from '../../../widgets/overlays/menu.js';
import { errorText } from '../../../widgets/states.js';
import styles from './field-sidebar.module.css';
import type { QueryState } from '../query-state.js';

const TOP = 10;
const isNumber = (type: string): boolean => /integer|float/.test(type);

interface Facts {
  readonly top: readonly { readonly cell: Cell; readonly count: number }[];
  readonly having: number;
  readonly all: number;
  readonly distinct: number;
  readonly numbers: readonly (readonly [string, string])[];
}

/** Statistics of a field in the current range, queried when expanded. */
export function FieldFacts({
  field,
  type,
  events,
  state: { from, to, asof },
  chosen,
  onColumn,
  splits,
  onSlowest,
  onSpread,
}: {
  readonly field: string;
  readonly type: string;
  readonly events: string;
  readonly state: QueryState;
  readonly chosen: boolean;
  readonly onColumn: () => void;
  /** For numbers: a high percentile by another field, and values over time. */
  readonly splits: readonly string[];
  readonly onSlowest: (by: string) => void;
  readonly onSpread: () => void;
}) {
  const openMenu = useValueMenu();
  const { data, error } = useQuery({
    queryKey: ['facts', events, field, type, from, to, asof],
    queryFn: ({ signal }) =>
      askFacts(field, type, { apl: events, from, to, ...(asof !== '' && { asOf: asof }) }, signal),
    enabled: events !== '',
    staleTime: 60_000,
    retry: false,
  });
  return (
    <div className={styles.facts}>
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {data === undefined && error === null && events !== '' && <p role="status">counting…</p>}
      {data !== undefined && (
        <>
          <p className={styles.numbers}>
            <span>in {data.all === 0 ? 0 : Math.round((100 * data.having) / data.all)}% of events</span>
            <span>{data.distinct.toLocaleString('en')} distinct values</span>
            {data.numbers.map(([name, value]) => (
              <span key={name}>
                {name} {value}
              </span>
            ))}
          </p>
          {data.top.map(({ cell, count }) => (
            <button
              key={`${typeof cell} ${textOf(cell)}`}
              type="button"
              className={styles.top}
              title={`${visibleText(textOf(cell))}: ${count}`}
              onClick={(event) => openMenu(event, { field, type, cell })}
            >
              <span
                className={styles.share}
                style={{ width: `${data.having === 0 ? 0 : (100 * count) / data.having}%` }}
              />
              <span className={styles.topLine}>
                <span>
                  <Value cell={cell} type={type} zone="UTC" />
                </span>
                <span>{count.toLocaleString('en')}</span>
              </span>
            </button>
          ))}
        </>
      )}
      <p className={styles.buttons}>
        <Button small onPress={onColumn}>
          {chosen ? 'Remove column' : 'Add column'}
        </Button>
        {isNumber(type) && (
          <>
            <Menu
              label={`p95 of ${field} by`}
              button={<Button small>p95 by…</Button>}
              groups={[{ entries: splits.map((by) => ({ id: by, title: by, run: () => onSlowest(by) })) }]}
            />
            <Button small onPress={onSpread}>
              Over time
            </Button>
          </>
        )}
      </p>
    </div>
  );
}

async function askFacts(
  field: string,
  type: string,
  question: { readonly apl: string; readonly from: string; readonly to: string; readonly asOf?: string },
  signal: AbortSignal,
): Promise<Facts> {
  const name = fieldText(field);
  const figures = isNumber(type)
    ? `, low = min(${name}), p50 = percentile(${name}, 50), p95 = percentile(${name}, 95), p99 = percentile(${name}, 99), high = max(${name})`
    : '';
  const apl = `${question.apl}\n| summarize top = topk(${name}, ${TOP}), having = countif(isnotnull(${name})), all = count(), distinct = dcount(${name})${figures}`;
  const { table } = await runQuery({ ...question, apl }, 'aside', signal);
  const value = (column: string): Cell =>
    table.columns[table.head.fields.findIndex((each) => each.name === column)]?.[0] ?? null;
  return {
    top: topOf(value('top'), type),
    having: Number(value('having') ?? 0),
    all: Number(value('all') ?? 0),
    distinct: Number(value('distinct') ?? 0),
    numbers: ['low', 'p50', 'p95', 'p99', 'high'].flatMap((each) => {
      const cell = value(each);
      return cell === null
        ? []
        : [[each === 'low' ? 'min' : each === 'high' ? 'max' : each, shortNumber(cell)] as const];
    }),
  };
}

const shortNumber = (cell: Cell): string =>
  typeof cell === 'number' ? String(Number(cell.toPrecision(6))) : textOf(cell);

/** `topk` returns a list of `{key, count}`. */
function topOf(cell: Cell, type: string): Facts['top'] {
  const tree = parseJson(textOf(cell));
  if (tree?.kind !== 'array') return [];
  return tree.items.flatMap((item) => {
    if (item.kind !== 'object') return [];
    const members = new Map(item.members);
    const [key, count] = [members.get('key') ?? members.get('value'), members.get('count')];
    if (key?.kind !== 'scalar' || count?.kind !== 'scalar') return [];
    return [{ cell: scalarCell(key.text, key.type, type), count: Number(count.text) }];
  });
}

function scalarCell(text: string, kind: 'string' | 'number' | 'word', type: string): Cell {
  if (kind === 'string') return JSON.parse(text) as string;
  if (kind === 'word') return text === 'null' ? null : text === 'true';
  const number = Number(text);
  return type.includes('integer') && !Number.isSafeInteger(number) && /^-?\d+$/.test(text) ? BigInt(text) : number;
}
