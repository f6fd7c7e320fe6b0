import { aggregateNamed, overloadsOf } from '../aggregates/index.js';
import { specialForms } from '../bind/calls/special.js';
import type { Arguments } from '../functions/define.js';
import { functionNamed } from '../functions/index.js';
import { parameterTexts } from '../reference/signature.js';
import type { Statement } from '../syntax/ast.js';
import { parse } from '../syntax/parse.js';
import { framesOf, tokensOf } from './place.js';

/** One way to call a function. */
export interface SignatureInfo {
  readonly label: string;
  /** Each exactly as it appears in the label. */
  readonly parameters: readonly string[];
  readonly documentation: string;
}

export interface SignatureHelp {
  readonly signatures: readonly SignatureInfo[];
  /** Index of the first signature that takes as many arguments as the call has. */
  readonly activeSignature: number;
  /**
   * Index of the parameter at the cursor, in the active signature; a repeating one covers all
   * further arguments.
   */
  readonly activeParameter: number;
}

/** The ways to call the function among whose arguments `offset` lies; undefined outside a call. */
export function signatureHelp(text: string, offset: number): SignatureHelp | undefined {
  const tokens = tokensOf(text).filter(({ kind, start }) => kind !== 'end' && start < offset);
  for (const { open, commas } of framesOf(tokens).toReversed()) {
    const callee = tokens[open - 1];
    if (open < 0 || tokens[open]!.text !== '(' || callee?.kind !== 'word') continue;
    const signatures = signaturesNamed(callee.text, text.slice(0, callee.start));
    if (signatures.length === 0) continue;
    const fitting = signatures.findIndex(({ parameters }) => commas < parameters.length || isRepeating(parameters));
    const activeSignature = Math.max(0, fitting);
    const { parameters } = signatures[activeSignature]!;
    const last = Math.max(0, parameters.length - 1);
    return { signatures, activeSignature, activeParameter: isRepeating(parameters) ? Math.min(commas, last) : commas };
  }
  return undefined;
}

const isRepeating = (parameters: readonly string[]): boolean => parameters.at(-1)?.endsWith('…') === true;

/**
 * The signatures of a name: those of a function the query defines, otherwise of an aggregate, a
 * function and a special form.
 */
function signaturesNamed(name: string, before: string): readonly SignatureInfo[] {
  const own = parse(before).program.statements.findLast(
    (each) => each.kind === 'letFunction' && each.name.text === name,
  );
  if (own?.kind === 'letFunction') return [ofParameters(name, own)];
  const aggregate = aggregateNamed(name);
  const record = functionNamed(name);
  const special = specialForms.get(name);
  return [
    ...(aggregate === undefined ? [] : distinct(name, overloadsOf(aggregate), summaryOf(aggregate))),
    ...(record === undefined ? [] : distinct(name, record.overloads, record.summary)),
    ...(special === undefined ? [] : [ofSyntax(special)]),
  ];
}

const summaryOf = ({ record, name }: NonNullable<ReturnType<typeof aggregateNamed>>): string =>
  name === record.twin?.name ? record.twin.summary : record.summary;

/** Overloads that differ only in their results are one signature. */
function distinct(name: string, overloads: readonly Arguments[], documentation: string): readonly SignatureInfo[] {
  const signatures = overloads.map(({ params, rest }) => signature(name, parameterTexts(params, rest), documentation));
  return [...new Map(signatures.map((each) => [each.label, each])).values()];
}

const signature = (name: string, parameters: readonly string[], documentation: string): SignatureInfo => ({
  label: `${name}(${parameters.join(', ')})`,
  parameters,
  documentation,
});

const ofSyntax = ({
  name,
  syntax,
  doc,
}: {
  readonly name: string;
  readonly syntax: string;
  readonly doc: string;
}): SignatureInfo => {
  const inside = syntax.slice(name.length + 1, -1);
  return signature(name, inside === '' ? [] : inside.split(', '), doc);
};

const ofParameters = (name: string, { params }: Extract<Statement, { kind: 'letFunction' }>): SignatureInfo =>
  signature(
    name,
    params.map(({ name: parameter, type, tabular, default: otherwise }) => {
      const text = `${parameter.text}: ${tabular === true ? 'table' : (type ?? 'dynamic')}`;
      return otherwise === undefined ? text : `[${text}]`;
    }),
    'A function of this query.',
  );
