import { EvaluationError } from './evaluator/evaluation-error.js';
import { rowsOf as evaluatedRows } from './evaluator/tabular.js';
import type { Tables } from './evaluator/tabular.js';
import { asDynamic, datetimeText, isBag, isList, isNumber, jsonText } from './evaluator/values.js';
import type { Type, Value } from './evaluator/values.js';
import { compileWithLookups } from './compile-with-lookups.js';
import type { CompileOptions } from '../compiled-query.js';
import { parse } from '../syntax/parse.js';
import { parseJson } from './engine.js';
import type { TestEngine } from './engine.js';

/** More rows than a random pipeline returns; the plain evaluator has no limit. */
const ALL_ROWS = 50_000;

interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/**
 * The difference between the results of the language and of the plain evaluator for a query;
 * undefined if they agree.
 */
export function disagreement(
  engine: TestEngine,
  text: string,
  tables: Tables,
  ordered: boolean,
  options: Partial<CompileOptions> = {},
): string | undefined {
  const wanted = evaluate(text, tables);
  const names = text.includes('union') && !(wanted instanceof EvaluationError) ? wanted.columns : [];
  const got = queryEngine(engine, text, options, names);
  if (wanted instanceof EvaluationError) {
    const refused = typeof got === 'string' && got.includes(wanted.message);
    return refused ? undefined : `${text}\nmust fail: ${wanted.message}`;
  }
  if (typeof got === 'string') return `${text}\n${got}`;
  const sorted = ordered ? wanted.rows : sortedRows(wanted.rows);
  const rows = ordered ? got.rows : sortedRows(got.rows);
  const same =
    got.columns.join() === wanted.columns.join() &&
    rows.length === sorted.length &&
    rows.every((row, i) => row.every((cell, c) => agree(cell, sorted[i]![c]!)));
  if (same) return undefined;
  const [only, missing] = [apart(rows, sorted), apart(sorted, rows)];
  return `${text}\nlanguage  ${got.columns.join(' | ')}\n${formatRows(only)}\nevaluator ${wanted.columns.join(' | ')}\n${formatRows(missing)}`;
}

function evaluate(text: string, tables: Tables): Answer | EvaluationError {
  try {
    const { columns, rows } = evaluatedRows(parse(text).program, tables);
    return {
      columns: columns.map(({ name }) => name),
      rows: rows.map((row) => row.map((value, i) => asResult(value, columns[i]!.type))),
    };
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** Runs a query and returns its rows; throws if the query is invalid. */
export const rowsOf = (engine: TestEngine, text: string, options: Partial<CompileOptions>): Answer['rows'] =>
  resultOf(engine, text, options).rows;

function resultOf(engine: TestEngine, text: string, options: Partial<CompileOptions>): Answer {
  const result = compileWithLookups(engine, text, { defaultLimit: ALL_ROWS, ...options });
  if (result.kind === 'failed')
    throw new Error(result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; '));
  const { query, output } = result;
  const rows = engine
    .rows(query)
    .map((row) =>
      row.map((cell, i) => normal(output[i]?.json === true && typeof cell === 'string' ? parseJson(cell) : cell)),
    );
  return { columns: output.map(({ name }) => name), rows };
}

function queryEngine(
  engine: TestEngine,
  text: string,
  options: Partial<CompileOptions>,
  names: readonly string[],
): Answer | string {
  try {
    const { columns, rows } = resultOf(engine, text, options);
    // Unions of events list their columns by name; that order is not compared here.
    const places = names.every((name) => columns.includes(name))
      ? names.map((name) => columns.indexOf(name))
      : undefined;
    return places === undefined || columns.length !== names.length
      ? { columns, rows }
      : { columns: names, rows: rows.map((row) => places.map((at) => row[at]!)) };
  } catch (error) {
    return `fails: ${error instanceof Error ? error.message.slice(-600) : String(error)}`;
  }
}

/** A value as results show it. */
function asResult(value: Value, type: Type): Value {
  if (type === 'datetime' && typeof value === 'bigint') return datetimeText(value);
  return normal(asDynamic(value, type));
}

/** Numbers in one form: integers are numbers unless that would lose digits. */
function normal(value: unknown): Value {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value)
      ? value.map(normal)
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normal(member)]));
  return value as Value;
}

/** Whether values are equal. The last digits of reals may differ, also within texts. */
function agree(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a === b;
    const [x, y] = [Number(a), Number(b)];
    return Math.abs(x - y) <= 1e-9 * Math.max(1e-3, Math.abs(x), Math.abs(y));
  }
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, i) => agree(item, b[i]!));
  if (isBag(a) && isBag(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => key in b && agree(a[key]!, b[key]!));
  }
  return a === b || (typeof a === 'string' && typeof b === 'string' && blurredText(a) === blurredText(b));
}

/** Rounds the numbers in a text to nine digits; numbers close to zero become 0. */
const blurredText = (text: string): string =>
  text.replaceAll(/-?\d+\.\d{9,}(?:e-?\d+)?/g, (digits) => {
    const number = Number(digits);
    return Math.abs(number) < 1e-12 ? '0' : String(Number(number.toPrecision(9)));
  });

const text = (row: readonly Value[]): string => row.map(jsonText).join(' | ');

/**
 * For comparing without order. The sort keys are rounded, so that last digits do not decide which
 * rows are compared.
 */
const sortedRows = (rows: Answer['rows']): Answer['rows'] =>
  rows
    .map((row) => ({ row, by: text(row.map(blurValue)) }))
    .toSorted((a, b) => (a.by < b.by ? -1 : a.by > b.by ? 1 : 0))
    .map(({ row }) => row);

const blurValue = (value: Value): Value => {
  if (typeof value === 'number') return Number(value.toPrecision(9)) + 0;
  if (typeof value === 'string') return blurredText(value);
  return isList(value) ? value.map(blurValue) : value;
};

const apart = (rows: Answer['rows'], others: Answer['rows']): Answer['rows'] => {
  const found = rows.filter(
    (row, i) => others[i] === undefined || !row.every((cell, c) => agree(cell, others[i]![c]!)),
  );
  return found.slice(0, 4);
};

const formatRows = (rows: Answer['rows']): string => rows.map((row) => `  ${text(row)}`).join('\n');
