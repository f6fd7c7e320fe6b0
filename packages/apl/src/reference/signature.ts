import { boundsText } from '../functions/define.js';
import type { Example, ExampleValue, Param, ParamType } from '../functions/define.js';

/**
 * How functions and their examples are shown to users: in the reference, in completion and in
 * hovers.
 */

const typeNames: Partial<Record<ParamType, string>> = { bag: 'object' };

/** A parameter as displayed, `value: number`, with its bounds if it has some. */
const parameterText = ({ name, type, within }: Param): string =>
  `${name}: ${typeNames[type] ?? type}${within === undefined ? '' : ` ${boundsText(within)}`}`;

/**
 * The parameters as separate strings: optional ones in square brackets, a repeated last one with an
 * ellipsis.
 */
export const parameterTexts = (params: readonly Param[], rest: Param | undefined): readonly string[] => [
  ...params.map((param) => (param.optional === true ? `[${parameterText(param)}]` : parameterText(param))),
  ...(rest === undefined ? [] : [`${parameterText(rest)}…`]),
];

/** `name(a: string, [b: long])` for each overload, without repetitions. */
export const signaturesOf = (
  name: string,
  overloads: readonly { readonly params: readonly Param[]; readonly rest?: Param }[],
): readonly string[] => [
  ...new Set(overloads.map(({ params, rest }) => `${name}(${parameterTexts(params, rest).join(', ')})`)),
];

export const exampleText = ({ apl, gives }: Example): string => `\`${apl}\` → \`${valueText(gives)}\``;

function valueText(value: ExampleValue): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly ExampleValue[]).map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Readonly<Record<string, ExampleValue>>);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${valueText(member)}`).join(', ')}}`;
}
