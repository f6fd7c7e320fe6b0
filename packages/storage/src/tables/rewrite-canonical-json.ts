import type { Engine } from '@millrace/engine';
import { canonicalJson, OVERFLOW_COLUMN, parsePhysicalName } from '@millrace/events';
import { call, column, lambda, literal, printExpr, quoteString, type Expr } from '@millrace/sql';
import { columnsOf, queryRows } from './query.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * Finds arrays and objects that earlier versions stored in the client's form, and rewrites them to
 * the canonical form.
 */

/** Rows read in one statement, and bytes changed in one: both are in memory. */
const PAGE_ROWS = 2000;
const STATEMENT_BYTES = 1 << 20;

/**
 * Matches every JSON that is not in canonical form, and some that is: white space, an escape, a
 * number with a fraction, an exponent, a sign or as many digits as 64 bits have, and two
 * properties, which could have the same name.
 */
const SUSPECT = '[\\x00-\\x20]|\\\\[/u]|[0-9][.eE]|-0|[0-9]{18}|":(?s:.*)":';

const isJson = (name: string): boolean => ['array', 'map'].includes(parsePhysicalName(name)?.type ?? '');

/** Non-canonical values of the rows up to a position, and their replacements. */
type Spellings = Map<string, string>;

/**
 * Converts all arrays and objects in the table of a dataset to today's canonical form. Each step
 * leaves a correct table, so an interrupted conversion can be repeated.
 * @param proceed whether to continue, called before each step
 */
export async function rewriteOldSpellings(engine: Engine, datasetId: number, proceed: () => boolean): Promise<void> {
  const table = quotedTable(datasetId);
  const columns = await columnsOf(engine, table);
  const names = columns.filter(isJson);
  const texts = names.map((name) => `ifNull(${printExpr(column(name))}, '')`);
  const inOverflow = `mapValues(mapFilter((k, v) -> match(k, '#[jm]$'), ${printExpr(column(OVERFLOW_COLUMN))}))`;
  const all = `arrayFilter(v -> match(v, ${quoteString(SUSPECT)}), arrayConcat([${texts.join(', ')}]::Array(String), ${inOverflow}))`;
  let after: readonly [string, string, string] | undefined;
  let spellings: Spellings = new Map();
  let bytes = 0;
  while (proceed()) {
    const behind =
      after === undefined
        ? ''
        : `WHERE (_time, _seq, _row) > (fromUnixTimestamp64Nano(${after[0]}, 'UTC'), ${after[1]}, ${after[2]})`;
    const rows = await queryRows<[string, string, string, readonly string[]]>(
      engine,
      `SELECT toString(toUnixTimestamp64Nano(_time)), toString(_seq), toString(_row), ${all} AS texts ` +
        `FROM (SELECT * FROM ${table} ${behind} ORDER BY _time, _seq, _row LIMIT ${PAGE_ROWS})`,
    );
    for (const [, , , found] of rows)
      for (const text of found) {
        const today = spellings.has(text) ? text : canonicalJson(text);
        if (today === text) continue;
        spellings.set(text, today);
        bytes += text.length + today.length;
      }
    const last = rows.at(-1);
    const isOver = last === undefined || rows.length < PAGE_ROWS;
    if (spellings.size > 0 && (isOver || bytes > STATEMENT_BYTES)) {
      await replace(engine, table, names, spellings);
      spellings = new Map();
      bytes = 0;
    }
    if (isOver) return;
    after = [last[0], last[1], last[2]];
  }
}

async function replace(engine: Engine, table: string, names: readonly string[], spellings: Spellings): Promise<void> {
  const list = (texts: Iterable<string>): Expr => call('array', ...[...texts].map((text) => literal(text)));
  const [old, today] = [list(spellings.keys()), list(spellings.values())];
  const replaceText = (text: Expr): Expr => call('transform', text, old, today, text);
  const overflow = column(OVERFLOW_COLUMN);
  const [name, text] = [column('k'), column('v')];
  const ofOverflow = call('if', call('match', name, literal('#[jm]$')), replaceText(text), text);
  const isOld = (of: Expr): Expr => call('has', old, of);
  const columns = names.map((json) => column(json));
  const changes = [
    ...columns.map((json) => `${printExpr(json)} = ${printExpr(replaceText(json))}`),
    `${printExpr(overflow)} = ${printExpr(call('mapApply', lambda(['k', 'v'], call('tuple', name, ofOverflow)), overflow))}`,
  ];
  const hasOld = call(
    'or',
    literal(false),
    ...columns.map((json) => call('ifNull', isOld(json), literal(false))),
    call('arrayExists', lambda(['v'], isOld(text)), call('mapValues', overflow)),
  );
  await engine.execute(`ALTER TABLE ${table} UPDATE ${changes.join(', ')} WHERE ${printExpr(hasOld)}`, {
    apart: 'deletion',
    settings: { mutations_sync: 1 },
  });
}
