import { datasetText, fieldText } from '../../data/apl-text.js';
import { durationText } from './durations.js';
import { atom, callOf, type Dialect, type Expression, expressionReader } from './expressions.js';
import type { SourceNames } from './languages.js';
import { namesOf } from './names.js';
import { sqlCall } from './sql-functions.js';
import { TokenReader } from './tokens.js';

/** SQL: one SELECT over one table, with conditions, groups, order and limit. */

interface Item {
  readonly value: Expression;
  readonly alias: string | undefined;
}

const CLAUSES = new Set(['from', 'where', 'group', 'having', 'order', 'limit', 'as', 'offset', 'union', 'format']);

const TYPES: Readonly<Record<string, string>> = {
  int: 'tolong',
  integer: 'tolong',
  bigint: 'tolong',
  long: 'tolong',
  float: 'todouble',
  double: 'todouble',
  numeric: 'todouble',
  decimal: 'todouble',
  text: 'tostring',
  varchar: 'tostring',
  string: 'tostring',
  timestamp: 'todatetime',
  timestamptz: 'todatetime',
  boolean: 'tobool',
};

const castTo = (type: string): string | undefined => (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined);

/** @throws TranslationError */
export function sqlQuery(text: string, names: SourceNames): string {
  const quotes = { strings: "'", names: '"`' };
  const { table, aliases } = sourceIn(new TokenReader(text, quotes));
  const reader = new TokenReader(text, quotes);
  const source = names.dataset(table);
  const named = namesOf(names.fields(source));
  const qualifier = new RegExp(
    `^(?:${[table, ...aliases].map((each) => each.replaceAll(/\W/g, String.raw`\$&`)).join('|')})\\.`,
    'i',
  );
  const dialect: Dialect = {
    name: (name) => named(name.replace(qualifier, '')),
    call: (from, name, call) => sqlCall(from, name, call, read),
    cast: castTo,
    special: specialAt,
  };
  const read = expressionReader(reader, dialect);
  const steps = selectIn(reader, read);
  return [datasetText(source), ...steps].join('\n| ');
}

/** The table after FROM, read ahead: names depend on it. */
function sourceIn(reader: TokenReader): { readonly table: string; readonly aliases: readonly string[] } {
  let depth = 0;
  for (;;) {
    const { kind, text } = reader.next;
    if (kind === 'end') return reader.fail();
    if (kind === 'sign') depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    if (depth === 0 && reader.accept('from')) break;
    reader.take();
  }
  const table = reader.takeName();
  const alias = aliasAt(reader);
  return { table, aliases: alias === undefined ? [] : [alias] };
}

function selectIn(reader: TokenReader, read: (level?: number) => Expression): readonly string[] {
  const items: Item[] = [];
  reader.expect('select');
  const isDistinct = reader.accept('distinct');
  const isStar = reader.accept('*');
  while (!isStar) {
    const value = read();
    items.push({ value, alias: aliasAt(reader) });
    if (!reader.accept(',')) break;
  }
  reader.expect('from');
  reader.takeName();
  aliasAt(reader);
  const where = reader.accept('where') ? read() : undefined;
  const groups = reader.accept('group', 'by') ? listOf(reader, read) : [];
  const having = reader.accept('having') ? read() : undefined;
  const orders = reader.accept('order', 'by') ? ordersIn(reader, read) : [];
  const limit = reader.accept('limit') ? reader.takeKind('number').text : undefined;
  reader.accept(';');
  if (reader.next.kind !== 'end') reader.fail();
  const filter = where === undefined || where.apl === 'true' ? [] : [`where ${where.apl}`];
  const isGrouped = groups.length > 0 || items.some(({ value }) => value.aggregates);
  const { steps, nameOf } = isGrouped
    ? summaryOf(reader, items, groups, [having, ...orders.map(({ value }) => value)])
    : { steps: projectionOf(items, isDistinct), nameOf: nameIn(items) };
  const sort = orders.map(({ value, direction }) => `${nameOf(value)} ${direction}`).join(', ');
  // Columns are projected last, so that others can order the rows.
  const sorting = sort === '' ? [] : [`sort by ${sort}`];
  const ordered =
    isGrouped || isDistinct ? [...steps, ...havingOf(having, nameOf), ...sorting] : [...sorting, ...steps];
  return [...filter, ...ordered, ...(limit === undefined ? [] : [`take ${limit}`])];
}

const havingOf = (having: Expression | undefined, nameOf: (value: Expression) => string): readonly string[] =>
  having === undefined ? [] : [`where ${nameOf(having)}`];

interface Order {
  readonly value: Expression;
  readonly direction: 'asc' | 'desc';
}

function ordersIn(reader: TokenReader, read: (level?: number) => Expression): readonly Order[] {
  const orders: Order[] = [];
  do {
    const value = read();
    const direction = reader.acceptAny(['desc', 'asc']) === 'desc' ? 'desc' : 'asc';
    reader.acceptAny(['nulls first', 'nulls last']);
    orders.push({ value, direction });
  } while (reader.accept(','));
  return orders;
}

function listOf(reader: TokenReader, read: (level?: number) => Expression): readonly Expression[] {
  const items = [read()];
  while (reader.accept(',')) items.push(read());
  return items;
}

function aliasAt(reader: TokenReader): string | undefined {
  if (reader.accept('as')) return reader.takeKind('name', 'quoted-name', 'string').text;
  const { kind, text } = reader.next;
  const isAlias = kind === 'quoted-name' || (kind === 'name' && !CLAUSES.has(text.toLowerCase()));
  // A join begins with a word, too.
  if (!isAlias || /^(join|inner|left|right|full|cross|natural|prewhere|final|sample)$/i.test(text)) return undefined;
  return reader.take().text;
}

/** The column of a value without an alias, as APL names it. */
const ownName = (value: Expression): string =>
  value.apl.replaceAll(/\W+/g, '_').replace(/(?<=\w)_$/, value.apl === 'count()' ? '_' : '');

const columnOf = ({ value, alias }: Item): string => {
  if (alias !== undefined) return fieldText(alias);
  return value.aggregates ? ownName(value) : value.apl;
};

/** How a value is written where columns of SELECT are in scope. */
const nameIn =
  (items: readonly Item[]) =>
  (value: Expression): string => {
    const ordinal =
      /^\d+$/.test(value.literal ?? '') && value.isText !== true ? items[Number(value.literal) - 1] : undefined;
    const item = ordinal ?? items.find((each) => each.value.apl === value.apl);
    return item === undefined
      ? value.apl
      : item.alias !== undefined && !item.value.aggregates
        ? item.value.apl
        : columnOf(item);
  };

function projectionOf(items: readonly Item[], isDistinct: boolean): readonly string[] {
  if (items.length === 0) return isDistinct ? ['distinct *'] : [];
  const columns = items.map(({ value, alias }) =>
    alias === undefined || fieldText(alias) === value.apl ? value.apl : `${fieldText(alias)} = ${value.apl}`,
  );
  if (!isDistinct) return [`project ${columns.join(', ')}`];
  const computed = columns.filter((each) => each.includes(' = '));
  return [
    ...(computed.length > 0 ? [`extend ${computed.join(', ')}`] : []),
    `distinct ${items.map(columnOf).join(', ')}`,
  ];
}

/** `summarize` for groups and aggregates; other values of SELECT must be groups. */
function summaryOf(
  reader: TokenReader,
  items: readonly Item[],
  groups: readonly Expression[],
  later: readonly (Expression | undefined)[],
): { readonly steps: readonly string[]; readonly nameOf: (value: Expression) => string } {
  const by = groups.map((group) => {
    const ordinal =
      group.isText !== true && /^\d+$/.test(group.literal ?? '') ? items[Number(group.literal) - 1] : undefined;
    const item =
      ordinal ??
      items.find(
        ({ value, alias }) => value.apl === group.apl || (alias !== undefined && fieldText(alias) === group.apl),
      );
    return item ?? { value: group, alias: undefined };
  });
  const other = items.find((item) => !item.value.aggregates && !by.some(({ value }) => value.apl === item.value.apl));
  if (other !== undefined && other.value.literal === undefined)
    return reader.failAs(`${other.value.apl} outside of GROUP BY`);
  const shown = items.filter(({ value }) => value.aggregates);
  const hidden = aggregatesIn(later).filter((apl) => !shown.some(({ value }) => value.apl === apl));
  const all = [...shown, ...hidden.map((apl) => ({ value: atom(apl, { aggregates: true }), alias: undefined }))];
  const mentioned = new Set(aggregatesIn(later));
  const aggregates = all.map((item) => {
    const isNamed = item.alias !== undefined || (mentioned.has(item.value.apl) && item.value.apl !== 'count()');
    return isNamed ? `${columnOf(item)} = ${item.value.apl}` : item.value.apl;
  });
  const keys = by.map(({ value, alias }) => {
    const isSame = alias === undefined || fieldText(alias) === value.apl;
    return isSame ? value.apl : `${fieldText(alias)} = ${value.apl}`;
  });
  const summary = `summarize ${[aggregates.join(', '), keys.length > 0 ? `by ${keys.join(', ')}` : ''].filter(Boolean).join(' ')}`;
  const columns = [...by, ...all].map((item) => [item, columnOf(item)] as const);
  const nameOf = (value: Expression): string => {
    const ordinal =
      value.isText !== true && /^\d+$/.test(value.literal ?? '') ? items[Number(value.literal) - 1] : undefined;
    if (ordinal !== undefined) return binless(columnOf(ordinal));
    let { apl } = value;
    for (const [item, column] of columns) apl = apl.replaceAll(item.value.apl, binless(column));
    return apl;
  };
  return { steps: [summary], nameOf };
}

/** A bin without a name is the column of its field. */
const binless = (column: string): string => /^bin(?:_auto)?\(([^,)]+)/.exec(column)?.[1] ?? column;

const AGGREGATE =
  /\b(?:count|countif|dcount|avg|sum|min|max|percentile|stdev|stdevp|variance)\((?:[^()]|\([^()]*\))*\)/g;

const aggregatesIn = (values: readonly (Expression | undefined)[]): readonly string[] => [
  ...new Set(values.flatMap((value) => (value?.aggregates === true ? (value.apl.match(AGGREGATE) ?? []) : []))),
];

/** CASE, CAST and INTERVAL. */
function specialAt(reader: TokenReader, read: (level?: number) => Expression): Expression | undefined {
  if (reader.at('interval') && (reader.peek(1).kind === 'string' || reader.peek(1).kind === 'number')) {
    const start = reader.take();
    const amount = reader.take().text;
    const unit = /[a-z]/i.test(amount) ? '' : reader.takeKind('name').text;
    const size = durationText(`${amount} ${unit}`);
    return size === undefined ? reader.failAt(start) : atom(size);
  }
  if (reader.at('cast', '(')) {
    reader.take();
    reader.take();
    const value = read();
    reader.expect('as');
    const type = reader.takeKind('name').text.toLowerCase();
    reader.expect(')');
    const convert = castTo(type);
    return convert === undefined ? reader.failAs(`CAST AS ${type}`) : callOf(convert, [value]);
  }
  return reader.accept('case') ? caseAfter(reader, read) : undefined;
}

function caseAfter(reader: TokenReader, read: (level?: number) => Expression): Expression {
  const parts: Expression[] = [];
  while (reader.accept('when')) {
    parts.push(read());
    reader.expect('then');
    parts.push(read());
  }
  if (parts.length === 0) return reader.fail();
  const other = reader.accept('else') ? read() : undefined;
  reader.expect('end');
  const isCount = parts.length === 2 && parts[1]!.literal === '1' && /^(0|null)$/.test(other?.apl ?? 'null');
  return callOf('case', [...parts, other ?? atom('null')], { ...(isCount && { counted: parts[0]!.apl }) });
}
