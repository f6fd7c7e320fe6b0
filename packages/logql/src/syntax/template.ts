import { isTemplateFunction, type TemplateFunction, templateFunctions } from '../model/template-functions.js';
import { unquote } from '@millrace/promql';

/** Templates of `line_format` and `label_format`: the part of Go's that fills in values. */

/** What a value begins with. */
type TemplateStart =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'line' };

interface TemplateCall {
  readonly fn: TemplateFunction;
  /** The arguments before the value of the pipe, all constant. */
  readonly args: readonly string[];
}

type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly start: TemplateStart; readonly calls: readonly TemplateCall[] };

export type Template = readonly TemplatePart[];

const token = /\s*(?:(\|)|\.([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*"|`[^`]*`)|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(\S))/y;

type Token =
  | { readonly kind: 'pipe' }
  | { readonly kind: 'label'; readonly text: string }
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string };

/** The reason why a template is not supported. */
export class TemplateProblem extends Error {}

/** @throws TemplateProblem */
export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let before = 0;
  for (const match of text.matchAll(/\{\{(-?)([\s\S]*?)(-?)\}\}/g)) {
    const [whole, , inside] = match;
    if (match.index > before) parts.push({ kind: 'text', text: text.slice(before, match.index) });
    parts.push(valueOf(inside!));
    before = match.index + whole.length;
  }
  const rest = text.slice(before);
  if (rest.includes('{{')) throw new TemplateProblem('{{ without }}');
  if (rest !== '') parts.push({ kind: 'text', text: rest });
  return parts;
}

function valueOf(inside: string): TemplatePart {
  const [first, ...stages] = split(tokensOf(inside));
  if (first === undefined || first.length === 0) throw new TemplateProblem('{{}} is empty');
  const [head, ...others] = first;
  if (head!.kind !== 'word') {
    if (others.length > 0) throw new TemplateProblem(`${showToken(others[0]!)} is not expected there`);
    return { kind: 'value', start: startOf(head!), calls: stages.map((stage) => callOf(stage)) };
  }
  if (head!.text === '__line__' && others.length === 0)
    return { kind: 'value', start: { kind: 'line' }, calls: stages.map((stage) => callOf(stage)) };
  // fn arguments value is the same as value | fn arguments.
  const value = others.at(-1);
  const call = callOf([head!, ...others.slice(0, -1)]);
  if (value === undefined || value.kind === 'word') throw new TemplateProblem(`${head!.text} needs a label or a text`);
  return { kind: 'value', start: startOf(value), calls: [call, ...stages.map((stage) => callOf(stage))] };
}

function startOf(token: Token): TemplateStart {
  if (token.kind === 'label') return { kind: 'label', label: token.text };
  if (token.kind === 'constant') return { kind: 'text', text: token.text };
  throw new TemplateProblem(`${showToken(token)} is not expected there`);
}

function callOf([head, ...args]: readonly Token[]): TemplateCall {
  if (head?.kind !== 'word') throw new TemplateProblem('a function is expected after |');
  if (!isTemplateFunction(head.text))
    throw new TemplateProblem(
      `the template function ${head.text} is not supported; supported are ${Object.keys(templateFunctions).join(', ')}`,
    );
  const { args: count } = templateFunctions[head.text];
  if (args.length !== count)
    throw new TemplateProblem(`${head.text} takes ${count} argument${count === 1 ? '' : 's'} and a value`);
  const constants = args.map((arg) => {
    if (arg.kind === 'constant') return arg.text;
    throw new TemplateProblem(`the arguments of ${head.text} before the value must be constants`);
  });
  return { fn: head.text, args: constants };
}

const showToken = (token: Token): string => (token.kind === 'pipe' ? '|' : JSON.stringify(token.text));

function tokensOf(inside: string): readonly Token[] {
  const tokens: Token[] = [];
  const text = inside.trimEnd();
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [, pipe, label, literal, number, word, other] = token.exec(text)!;
    if (pipe !== undefined) tokens.push({ kind: 'pipe' });
    else if (label !== undefined) tokens.push({ kind: 'label', text: label });
    else if (literal !== undefined) tokens.push({ kind: 'constant', text: unquote(literal) ?? literal.slice(1, -1) });
    else if (number !== undefined) tokens.push({ kind: 'constant', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else throw new TemplateProblem(`${JSON.stringify(other)} is not supported in a template`);
  }
  return tokens;
}

function split(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const stages: Token[][] = [[]];
  for (const token of tokens)
    if (token.kind === 'pipe') stages.push([]);
    else stages.at(-1)!.push(token);
  return stages;
}
