import { RE2JS } from 're2js';
import type { Ast } from '@millrace/apl';
import { call, literal } from '../plan/build.js';

/** The functions of templates: the value comes last, after constants. */

interface TemplateFunctionRecord {
  /** Constants before the value. */
  readonly args: number;
  run(value: string, args: readonly string[]): string;
  /** The same in the engine. */
  lower(value: Ast.Expr, args: readonly string[]): Ast.Expr;
}

const plain = (fn: string, run: (value: string) => string): TemplateFunctionRecord => ({
  args: 0,
  run,
  lower: (value) => call(value.span, fn, value),
});

const space = /^[\s]+|[\s]+$/g;

const prefix: TemplateFunctionRecord = {
  args: 1,
  run: (value, [start = '']) => (value.startsWith(start) ? value.slice(start.length) : value),
  lower: (value, [start = '']) =>
    call(value.span, 'replace_regex', literal(`^${quoteArgument(start)}`, value.span), literal('', value.span), value),
};

const suffix: TemplateFunctionRecord = {
  args: 1,
  run: (value, [end = '']) => (end !== '' && value.endsWith(end) ? value.slice(0, -end.length) : value),
  lower: (value, [end = '']) =>
    call(value.span, 'replace_regex', literal(`${quoteArgument(end)}$`, value.span), literal('', value.span), value),
};

const lower = plain('tolower', (value) => value.toLowerCase());
const upper = plain('toupper', (value) => value.toUpperCase());
const trim = plain('trim_space', (value) => value.replaceAll(space, ''));

const quoteArgument = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export const templateFunctions = {
  lower,
  ToLower: lower,
  upper,
  ToUpper: upper,
  trim,
  TrimSpace: trim,
  trimPrefix: prefix,
  TrimPrefix: prefix,
  trimSuffix: suffix,
  TrimSuffix: suffix,
  replace: {
    args: 2,
    run: (value, [from = '', to = '']) => (from === '' ? value : value.replaceAll(from, () => to)),
    lower: (value, [from = '', to = '']) =>
      call(value.span, 'replace_string', literal(from, value.span), literal(to, value.span), value),
  },
  regexReplaceAllLiteral: {
    args: 2,
    run: (value, [regex = '', to = '']) => RE2JS.compile(regex).matcher(value).replaceAll(RE2JS.quoteReplacement(to)),
    lower: (value, [regex = '', to = '']) =>
      call(
        value.span,
        'replace_regex',
        literal(regex, value.span),
        literal(to.replaceAll('$', '$$$$'), value.span),
        value,
      ),
  },
  default: {
    args: 1,
    run: (value, [otherwise = '']) => (value === '' ? otherwise : value),
    lower: (value, [otherwise = '']) => call(value.span, 'coalesce', value, literal(otherwise, value.span)),
  },
} as const satisfies Readonly<Record<string, TemplateFunctionRecord>>;

export type TemplateFunction = keyof typeof templateFunctions;

export const isTemplateFunction = (name: string): name is TemplateFunction => Object.hasOwn(templateFunctions, name);

export const templateFunction = (name: TemplateFunction): TemplateFunctionRecord => templateFunctions[name];
