import type { Example, ExampleValue } from '../functions/define.js';
import type { Catalog } from '../model/catalog.js';
import { compileOrThrow, compileText, noDatasets } from './compile-text.js';
import { parseJson } from './engine.js';
import type { TestEngine } from './engine.js';

/** The outcome of a scalar expression: its value as JSON, or the error. */
export type Outcome = { readonly value: unknown } | { readonly error: string };

/**
 * How many expressions share a query: enough to save time, few enough that one failure costs
 * little.
 */
const BATCH = 50;

/**
 * Evaluates scalar expressions on the real engine. They share queries: expressions that do not
 * compile are left out, and if a query fails in the engine, each of its expressions runs alone.
 * `source` is a pipeline of one row, which may read datasets of `catalog`; without it `print` is
 * used.
 */
export function evaluate(
  engine: TestEngine,
  expressions: readonly string[],
  source?: string,
  catalog: Catalog = noDatasets,
): readonly Outcome[] {
  const prefix = source === undefined ? 'print ' : `${source} | project `;
  const outcomes: Outcome[] = [];
  for (let start = 0; start < expressions.length; start += BATCH)
    outcomes.push(...outcomesOf(engine, expressions.slice(start, start + BATCH), prefix, catalog));
  return outcomes;
}

function outcomesOf(
  engine: TestEngine,
  batch: readonly string[],
  prefix: string,
  catalog: Catalog,
): readonly Outcome[] {
  const together = (some: readonly string[]) => attempt(() => evaluateTogether(engine, some, prefix, catalog));
  const all = together(batch);
  if ('value' in all) return all.value.map((value) => ({ value }));
  const errors = batch.map((apl) => {
    const result = compileText(`${prefix}value = ${apl}`, { catalog });
    return result.kind === 'compiled'
      ? undefined
      : result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ');
  });
  const good = batch.filter((_, i) => errors[i] === undefined);
  const found = good.length < batch.length ? together(good) : all;
  return batch.map((apl, i) => {
    const error = errors[i];
    if (error !== undefined) return { error };
    if ('value' in found) return { value: found.value[good.indexOf(apl)] };
    const alone = together([apl]);
    return 'value' in alone ? { value: alone.value[0] } : alone;
  });
}

function evaluateTogether(
  engine: TestEngine,
  expressions: readonly string[],
  prefix: string,
  catalog: Catalog,
): readonly unknown[] {
  const text = prefix + expressions.map((apl, i) => `value_${i} = ${apl}`).join(', ');
  const { query, output } = compileOrThrow(text, { catalog });
  const [row = []] = engine.rows(query);
  return row.map((cell, i) => (output[i]?.json === true && typeof cell === 'string' ? parseJson(cell) : cell));
}

function attempt<T>(body: () => T): { readonly value: T } | { readonly error: string } {
  try {
    return { value: body() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** How an outcome differs from the example, undefined if it does not. */
export function complaint(example: Example, outcome: Outcome): string | undefined {
  if ('error' in outcome) return `${example.apl}: ${outcome.error}`;
  if (matches(outcome.value, example.gives, example.tolerance ?? 1e-12)) return undefined;
  return `${example.apl} gives ${show(outcome.value)}, not ${show(example.gives)}`;
}

/** Whether two JSON values are equal, floats within a relative tolerance. */
export function matches(got: unknown, wanted: ExampleValue | undefined, tolerance: number): boolean {
  if (wanted === null || wanted === undefined) return got === null;
  if (typeof wanted === 'bigint' || typeof got === 'bigint')
    return isNumber(got) && isNumber(wanted) && BigInt(got) === BigInt(wanted);
  if (typeof wanted === 'number')
    return (
      typeof got === 'number' && (got === wanted || Math.abs(got - wanted) <= tolerance * Math.max(1, Math.abs(wanted)))
    );
  if (typeof wanted !== 'object') return got === wanted;
  if (isList(wanted))
    return Array.isArray(got) && got.length === wanted.length && wanted.every((w, i) => matches(got[i], w, tolerance));
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return false;
  const entries = Object.entries(wanted);
  return (
    Object.keys(got).length === entries.length &&
    entries.every(([key, value]) => matches((got as Record<string, unknown>)[key], value, tolerance))
  );
}

const isList = (value: ExampleValue): value is readonly ExampleValue[] => Array.isArray(value);
const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
const show = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v));
