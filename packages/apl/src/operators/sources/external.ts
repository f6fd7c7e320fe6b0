import { bindCall } from '../../bind/calls/calls.js';
import { bindSingle } from '../../bind/context.js';
import { member } from '../../bind/names/member.js';
import { single } from '../../bind/values/coerce.js';
import { toType } from '../../bind/values/to-type.js';
import { functionNamed } from '../../functions/index.js';
import type { ExternalPlan, Plan } from '../../plan/nodes.js';
import { emptyPlan } from '../../plan/empty-plan.js';
import { columnOf, constant, constantText, type ConstantScalar, type Scalar } from '../../plan/scalar.js';
import type { Span, TableSource, TypedName } from '../../syntax/ast.js';
import { project } from '../columns.js';
import type { OperatorContext } from '../define.js';
import { checkDifferent } from '../different-names.js';
import { unionOf } from '../tables/union-of.js';
import { type Address, allowedAddress } from './address.js';
import { type Cell, type FileFormat, formatNames, isFileFormat, kindOf, rowsOf } from './file-rows.js';
import { type Mapping, mappingOf } from './ingestion-mapping.js';
import { writtenRows, writtenSize } from './written-rows.js';

type Source = Extract<TableSource, { kind: 'externaldata' }>;

interface Options {
  readonly format: FileFormat;
  /** Whether the first line is a header. */
  readonly skipFirst: boolean;
  /** Locations of columns that are not under their own names, or at their own indexes. */
  readonly mapping: Mapping;
}

/**
 * `externaldata (a:string) ["https://…"] with (format="csv")`: a table read from a URL, only from
 * hosts that the server allows.
 */
export function bindExternal(source: Source, context: OperatorContext): Plan {
  const { report, externalHosts } = context.query;
  if (externalHosts.length === 0) {
    report.error('unsupported', source.span, 'externaldata is switched off on this server');
    return emptyPlan;
  }
  const addresses = source.urls.map((url) => {
    const text = addressOf(url, context);
    const address: Address =
      text === undefined
        ? { kind: 'refused', problem: 'the address must be a constant text' }
        : allowedAddress(text, externalHosts);
    if (address.kind === 'allowed') return { href: address.href, span: url.span };
    report.error('unsupported', url.span, address.problem);
    return { href: '', span: url.span };
  });
  checkDifferent(
    source.columns.map(({ name }) => name),
    context,
  );
  const options = optionsOf(source, context);
  if (options === undefined || report.failed || source.columns.length === 0) return emptyPlan;
  if (kindOf(options.format) === 'lines' && source.columns.length !== 1)
    report.error('argument_count', source.span, 'lines of text make exactly one column');
  const parts = addresses.map(({ href, span }) => ({
    name: href,
    plan: tableOf(
      {
        rows: placeCells(rowsAt(href, span, options, source.columns.length, context), source.columns, options),
        href,
        span,
      },
      options,
      source.columns,
      context,
    ),
  }));
  return unionOf(parts, context);
}

/** The rows of a file; none if there is something wrong with it, or if it has yet to be read. */
function rowsAt(
  href: string,
  span: Span,
  { format, skipFirst }: Options,
  width: number,
  { query }: OperatorContext,
): readonly (readonly Cell[])[] {
  const file = query.file(href);
  if (file === undefined) return [];
  if (file.kind === 'unread') {
    query.report.error('unsupported', span, file.problem);
    return [];
  }
  const found = rowsOf(file.text, format);
  if (found.kind === 'unreadable') {
    query.report.error('unsupported', span, found.problem);
    return [];
  }
  const objects = kindOf(format) === 'objects';
  if (!query.writes(writtenSize(found.rows, objects ? 1 : width), span)) return [];
  return skipFirst && !objects ? found.rows.slice(1) : found.rows;
}

/** The declared columns of a file: values that cannot be converted are null, as in all of APL. */
function tableOf(
  { rows, href, span }: { readonly rows: readonly (readonly Cell[])[]; readonly href: string; readonly span: Span },
  { format, mapping }: Options,
  columns: readonly TypedName[],
  context: OperatorContext,
): Plan {
  const { query } = context;
  const objects = kindOf(format) === 'objects';
  const texts: ExternalPlan['columns'] = objects
    ? [{ id: query.fresh('object'), type: 'bag' }]
    : columns.map(({ name }) => ({ id: query.fresh(name.text), type: 'string' }));
  const fields = texts.map(({ id, type }) => ({ name: id, readings: [{ type, id }] as const }));
  const input: Plan =
    rows.length === 0
      ? { kind: 'rows', schema: { fields }, columns: texts, rows: [] }
      : { kind: 'external', schema: { fields }, address: href, columns: texts, text: writtenRows(rows, texts.length) };
  const computed = columns.map(({ name, type = 'string' }, i) => {
    const cell: Scalar = objects
      ? (mapping.get(name.text)?.path ?? [name.text]).reduce<Scalar>(
          (object, key) => single(member([object], keyOf(key), span, context.constantScope)),
          columnOf(texts[0]!),
        )
      : columnOf(texts[i]!);
    const value = !objects && type === 'dynamic' ? parsedJson(cell, span, context) : cell;
    return { id: query.fresh(name.text), name: name.text, type, expr: toType(value, type, span, query) };
  });
  return project(
    input,
    computed.map(({ name, type, id }) => ({ name, readings: [{ type, id }] })),
    computed.map(({ id, expr }) => ({ id, expr })),
  );
}

/** The JSON in a string, like `parse_json`: a string that is not JSON stays a string. */
function parsedJson(text: Scalar, span: Span, { query }: OperatorContext): Scalar {
  const name = 'parse_json';
  return bindCall({ name, overloads: functionNamed(name)!.overloads, args: [{ value: [text], span }], span }, query);
}

function optionsOf({ urls, options }: Source, context: OperatorContext): Options | undefined {
  const first = urls[0] && addressOf(urls[0], context);
  let format = formatByName(first ?? '');
  let skipFirst = false;
  let mapping: Mapping = new Map();
  for (const { name, value } of options) {
    const scalar = value.kind === 'name' ? undefined : bindSingle(value, context.constantScope);
    // A format may stand without quotes.
    const given = value.kind === 'name' ? value.name.text : scalar?.kind === 'constant' ? scalar.value : undefined;
    const option = name.text.toLowerCase();
    if (option === 'format' && typeof given === 'string') format = given.toLowerCase();
    else if (['ignorefirstrecord', 'skipfirstrow'].includes(option) && typeof given === 'boolean') skipFirst = given;
    else if (option === 'ingestionmapping' && typeof given === 'string' && mappingOf(given) !== undefined)
      mapping = mappingOf(given)!;
    else if (knownOptions.has(option)) {
      const message =
        'externaldata has the options format="csv", ignoreFirstRecord=true and ingestionMapping="[{…}]" with a column and a path in each';
      context.query.report.error('argument_type', value.span, message);
      return undefined;
    } else context.query.report.warning('note', name.span, `${name.text} has no effect on externaldata`);
  }
  if (isFileFormat(format)) return { format, skipFirst, mapping };
  context.query.report.error(
    'argument_type',
    urls[0]?.span ?? { start: 0, end: 0 },
    `no format ${format}; there are ${formatNames.join(', ')}`,
  );
  return undefined;
}

/** The format that the name of a file implies, as in `a.json.gz`; otherwise `csv`. */
function formatByName(address: string): string {
  const extension = /\.(\w+?)(?:\.(?:gz|zip))?(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  return extension !== undefined && isFileFormat(extension) ? extension : 'csv';
}

const knownOptions: ReadonlySet<string> = new Set(['format', 'ignorefirstrecord', 'skipfirstrow', 'ingestionmapping']);

/** Each row with the cells of the columns, where a mapping says which those are. */
const placeCells = (
  rows: readonly (readonly Cell[])[],
  columns: readonly TypedName[],
  { format, mapping }: Options,
): readonly (readonly Cell[])[] =>
  mapping.size === 0 || kindOf(format) !== 'cells'
    ? rows
    : rows.map((row) => columns.map(({ name }, i) => row[mapping.get(name.text)?.ordinal ?? i] ?? null));

const keyOf = (key: string | number): ConstantScalar =>
  typeof key === 'number' ? constant('long', BigInt(key)) : constant('string', key);

const addressOf = (expr: Source['urls'][number], context: OperatorContext): string | undefined =>
  constantText(bindSingle(expr, context.constantScope));
