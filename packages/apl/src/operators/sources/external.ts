import { bindSingle } from '../../bind/context.js';
import type { ExternalPlan, Plan } from '../../plan/nodes.js';
import { nothing } from '../../plan/nothing.js';
import { constantText } from '../../plan/scalar.js';
import type { TableSource } from '../../syntax/ast.js';
import type { OperatorContext } from '../define.js';
import { unionOf } from '../union-of.js';
import { type Address, allowedAddress } from './address.js';
import { checkDifferent } from '../different-names.js';

type Source = Extract<TableSource, { kind: 'externaldata' }>;

/** Formats by their names in queries. In `raw` and `txt` each line is one text. */
const formats: Readonly<Record<string, Pick<ExternalPlan, 'format' | 'delimiter'>>> = {
  csv: { format: 'CSV' },
  scsv: { format: 'CSV', delimiter: ';' },
  psv: { format: 'CSV', delimiter: '|' },
  tsv: { format: 'CSV', delimiter: '\t' },
  json: { format: 'JSONEachRow' },
  multijson: { format: 'JSONEachRow' },
  raw: { format: 'LineAsString' },
  txt: { format: 'LineAsString' },
};

/** `externaldata (a:string) ["https://…"] with (format="csv")`: a table read from a URL, only from hosts that the server allows. */
export function bindExternal(source: Source, context: OperatorContext): Plan {
  const { report, externalHosts } = context.query;
  if (externalHosts.length === 0) {
    report.error('unsupported', source.span, 'externaldata is switched off on this server');
    return nothing;
  }
  const urls = source.urls.map((url) => {
    const text = addressOf(url, context);
    const address: Address =
      text === undefined
        ? { kind: 'refused', problem: 'the address must be a constant text' }
        : allowedAddress(text, externalHosts);
    if (address.kind === 'allowed') return address.href;
    report.error('unsupported', url.span, address.problem);
    return '';
  });
  checkDifferent(
    source.columns.map(({ name }) => name),
    context,
  );
  const options = optionsOf(source, context);
  if (options === undefined || report.failed) return nothing;
  const parts = urls.map((url) => {
    const columns = source.columns.map(({ name, type = 'string' }) => ({
      name: name.text,
      type,
      id: context.query.fresh(name.text),
    }));
    const schema = { fields: columns.map(({ name, type, id }) => ({ name, readings: [{ type, id }] })) };
    const plan: ExternalPlan = { kind: 'external', schema, url, columns, ...options };
    return { name: url, plan };
  });
  if (options.format === 'LineAsString' && source.columns.length !== 1)
    report.error('argument_count', source.span, 'lines of text make exactly one column');
  return unionOf(parts, context);
}

function optionsOf(
  { urls, options }: Source,
  context: OperatorContext,
): Pick<ExternalPlan, 'format' | 'delimiter' | 'skipFirst'> | undefined {
  const first = urls[0] && addressOf(urls[0], context);
  let format = /\.(\w+)(?:[?#]|$)/.exec(first ?? '')?.[1]?.toLowerCase() ?? 'csv';
  let skipFirst = false;
  for (const { name, value } of options) {
    const scalar = bindSingle(value, context.constantScope);
    const given = scalar.kind === 'constant' ? scalar.value : undefined;
    if (name.text === 'format' && typeof given === 'string') format = given.toLowerCase();
    else if (['ignoreFirstRecord', 'skipFirstRow'].includes(name.text) && typeof given === 'boolean') skipFirst = given;
    else {
      context.query.report.error(
        'argument_type',
        value.span,
        'externaldata has the options format="csv" and ignoreFirstRecord=true',
      );
      return undefined;
    }
  }
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (known !== undefined) return { ...known, skipFirst };
  const names = Object.keys(formats).join(', ');
  context.query.report.error(
    'argument_type',
    urls[0]?.span ?? { start: 0, end: 0 },
    `no format ${format}; there are ${names}`,
  );
  return undefined;
}

const addressOf = (expr: Source['urls'][number], context: OperatorContext): string | undefined =>
  constantText(bindSingle(expr, context.constantScope));
