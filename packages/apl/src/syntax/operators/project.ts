import type { Name, NamedExpr, NamePattern, Operator, ReorderItem } from '../ast.js';
import { parseColumn, parseColumns } from '../columns.js';
import { commaList } from '../lists.js';
import { nameLength, parseDottedName, parseNamePattern } from '../names.js';
import { dashedWordsAt } from '../operator-names.js';
import type { Parser } from '../parser.js';

/**
 *     extend = "extend" columns
 */
export function parseExtend(p: Parser, start: number): Operator {
  return extend(p, start, false);
}

/**
 *     extend-valid = "extend-valid" columns
 */
export function parseExtendValid(p: Parser, start: number): Operator {
  return extend(p, start, true);
}

function extend(p: Parser, start: number, valid: boolean): Operator {
  const columns = parseColumns(p);
  for (const { name, value } of columns) {
    if (name === undefined && value.kind === 'binary' && value.op === '==' && value.left.kind === 'name') {
      const fix = { title: 'Write =', replacement: '=' };
      p.warning(value.opSpan, `this adds a column of true and false; to set ${value.left.name.text}, write =`, fix);
    }
  }
  return { kind: 'extend', valid, columns, span: p.spanFrom(start) };
}

/**
 *     project = "project" columns
 */
export function parseProject(p: Parser, start: number): Operator {
  const columns = commaList(p, () => parsePatternAsColumn(p) ?? parseLeftOut(p) ?? parseColumn(p));
  return { kind: 'project', columns, span: p.spanFrom(start) };
}

/** `-a`, which in other languages leaves a column out; a negative number needs a name. */
function parseLeftOut(p: Parser): NamedExpr | undefined {
  if (!p.at('-') || p.peek(1).kind !== 'word') return undefined;
  const after = p.peek(2);
  if (after.kind !== 'end' && after.text !== ',' && after.text !== '|') return undefined;
  const { start } = p.take();
  const { text } = p.take();
  p.error(p.spanFrom(start), `project-away ${text} leaves a column out, and a value has a name: x = -${text}`);
  return { value: p.errorExpr(), span: p.spanFrom(start) };
}

/** `geo*`: only the operators that compute no values take patterns. */
function parsePatternAsColumn(p: Parser): NamedExpr | undefined {
  const { start } = p.peek();
  const length = p.at('*') ? 0 : nameLength(p);
  if (length === undefined || !p.at('*', length)) return undefined;
  const after = p.peek(length + 1);
  if (after.kind !== 'end' && after.text !== ',' && after.text !== '|') return undefined;
  const { span } = parseNamePattern(p, 'a column');
  const written = p.text.slice(span.start, span.end);
  p.error(span, `project takes no patterns; project-keep ${written} keeps the columns as they are`);
  return { value: p.errorExpr(), span: p.spanFrom(start) };
}

/**
 *     project-away = "project-away" pattern { "," pattern }
 */
export function parseProjectAway(p: Parser, start: number): Operator {
  const columns = commaList(p, () => parseColumnPattern(p));
  return { kind: 'project-away', columns, span: p.spanFrom(start) };
}

/**
 *     project-keep = "project-keep" pattern { "," pattern }
 */
export function parseProjectKeep(p: Parser, start: number): Operator {
  const columns = commaList(p, () => parseColumnPattern(p));
  return { kind: 'project-keep', columns, span: p.spanFrom(start) };
}

function parseColumnPattern(p: Parser): NamePattern {
  const { text, wildcard, span } = parseNamePattern(p, 'a column');
  return { text, wildcard, span };
}

/**
 *     project-rename = "project-rename" dotted-name "=" dotted-name { "," … }
 */
export function parseProjectRename(p: Parser, start: number): Operator {
  const renames = commaList(p, () => parseRename(p));
  return { kind: 'project-rename', renames, span: p.spanFrom(start) };
}

function parseRename(p: Parser): { readonly to: Name; readonly from: Name } {
  const to = parseDottedName(p, 'the new name of a column');
  p.expect('=', 'between the new and the old name');
  return { to, from: parseDottedName(p, 'the old name of the column') };
}

const ORDERS = ['asc', 'desc', 'granny-asc', 'granny-desc'] as const;

/**
 *     project-reorder = "project-reorder" item { "," item }
 *     item            = pattern [ "asc" | "desc" | "granny-asc" | "granny-desc" ]
 */
export function parseProjectReorder(p: Parser, start: number): Operator {
  const items = commaList(p, (): ReorderItem => {
    const pattern = parseColumnPattern(p);
    const words = dashedWordsAt(p);
    const order = ORDERS.find((candidate) => candidate === words?.text);
    if (words === undefined || order === undefined) return { pattern };
    for (let taken = 0; taken < words.length; taken++) p.take();
    return { pattern, order };
  });
  return { kind: 'project-reorder', items, span: p.spanFrom(start) };
}
