import { fieldText, stringText } from '../../data/apl-text.js';
import type { SearchField } from '../search-terms.js';
import { TranslationError } from './translation-error.js';

/** What LogQL and PromQL share: selectors with conditions on labels, and groups. */

/** Reads text from its start on. */
export class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get rest(): string {
    return this.#text.slice(this.#at).trimStart();
  }

  /** The match of a pattern at the present position, after spaces. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const [space = ''] = /^\s*/.exec(this.#text.slice(this.#at)) ?? [];
    const found = pattern.exec(this.#text.slice(this.#at + space.length));
    if (found === null || found.index !== 0) return undefined;
    this.#at += space.length + found[0].length;
    return found;
  }

  need(pattern: RegExp): RegExpExecArray {
    const found = this.take(pattern);
    if (found === undefined) throw new TranslationError(this.rest.slice(0, 40) || 'the end of the query');
    return found;
  }
}

/** A text in quotes or backquotes. */
export const QUOTED_TEXT = String.raw`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60[^\x60]*\x60)`;

export const unquote = (text: string): string =>
  text.startsWith('`') ? text.slice(1, -1) : text.slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** Fields that labels are compared with, and the variables of a dashboard found in conditions. */
export interface LabelScope {
  /** Undefined if the fields are not known: labels count as texts. */
  readonly fields: readonly SearchField[] | undefined;
  readonly variables: string[];
}

const NUMBER_TYPES = /^(integer|float)(\|(integer|float))*$/;
const VARIABLE = /^\$\{?(\w+)(?::\w+)?\}?$/;

/** Conditions in braces: `{app="x", status=~"5.."}`. */
export function readSelector(reader: PatternReader, scope: LabelScope): readonly string[] {
  const conditions: string[] = [];
  reader.need(/^\{/);
  while (reader.take(/^\}/) === undefined) {
    const [, name, operator, text] = reader.need(
      new RegExp(String.raw`^([\w.]+)\s*(=~|!~|!=|=)\s*${QUOTED_TEXT}\s*,?`),
    );
    conditions.push(...labelCondition(name!, operator!, unquote(text!), scope));
  }
  return conditions;
}

/** A condition on a label; one on a variable holds while the variable is empty. */
export function labelCondition(
  name: string,
  operator: string,
  value: string,
  { fields, variables }: LabelScope,
): readonly string[] {
  const field = fieldText(name);
  const variable = VARIABLE.exec(value)?.[1];
  if (variable !== undefined) {
    if (operator.startsWith('!')) throw new TranslationError(`${name}${operator}"${value}"`);
    variables.push(variable);
    return [`(isempty(_${variable}) or ${field} == _${variable})`];
  }
  if (/\$\w|\$\{/.test(value)) throw new TranslationError(`${name}${operator}"${value}"`);
  const type = fields?.find((each) => each.name === name)?.type ?? 'string';
  const text = type === 'string' ? field : `tostring(${field})`;
  const isCompared = NUMBER_TYPES.test(type) && /^-?\d+(\.\d+)?$/.test(value);
  switch (operator) {
    case '=':
      return [isCompared ? `${field} == ${value}` : `${text} == ${stringText(value)}`];
    case '!=':
      return [isCompared ? `${field} != ${value}` : `${text} != ${stringText(value)}`];
    case '=~':
    case '!~': {
      if (value === '.*') return operator === '=~' ? [] : ['false'];
      if (value === '.+') return [`${operator === '=~' ? 'isnotempty' : 'isempty'}(${field})`];
      const choices = value.split('|');
      const isList = choices.every((each) => /^[\w-]+$/.test(each));
      const test = isList
        ? `${text} in (${choices.map(stringText).join(', ')})`
        : `${text} matches regex ${stringText(`^(?:${value})$`)}`;
      return [operator === '=~' ? test : `not(${test})`];
    }
    default:
      throw new TranslationError(`${name}${operator}`);
  }
}

const BY = /^by\s*\(([\w., ]*)\)/;

/** Labels after `by`, if that comes next. */
export const readGroups = (reader: PatternReader): readonly string[] | undefined =>
  reader
    .take(BY)?.[1]!
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
