import { RE2JS } from 're2js';
import { templateFunction } from '../model/template-functions.js';
import type { Matcher, NamedLabel, Parser, Stage } from '../syntax/ast.js';
import { jsonPathOf } from '../syntax/json-path.js';
import type { Template } from '../syntax/template.js';
import { flatLabels, jsonObject, jsonWithDigits } from './json-labels.js';
import { logfmtLabels } from './logfmt-labels.js';

/** A line with its labels after the stages of a query. */
export interface RenderedLine {
  readonly line: string;
  /** The labels of the event's fields. */
  readonly fields: ReadonlyMap<string, string>;
  /** Labels that stages added. */
  readonly parsed: ReadonlyMap<string, string>;
}

interface Line {
  line: string;
  readonly fields: Map<string, string>;
  readonly parsed: Map<string, string>;
  /** Labels of the fields before any stage. */
  readonly stored: ReadonlySet<string>;
}

type Step = (line: Line) => void;

/**
 * Makes the labels of the lines that a query found. The engine has applied the conditions already.
 */
export function renderer(
  stages: readonly Stage[],
): (line: string, fields: ReadonlyMap<string, string>) => RenderedLine {
  const steps = stages.map(stepOf).filter((step) => step !== undefined);
  return (text, fields) => {
    const line: Line = { line: text, fields: new Map(fields), parsed: new Map(), stored: new Set(fields.keys()) };
    for (const step of steps) step(line);
    return line;
  };
}

const valueOf = ({ parsed, fields }: Line, label: string): string => parsed.get(label) ?? fields.get(label) ?? '';

function remove({ fields, parsed }: Line, label: string): void {
  fields.delete(label);
  parsed.delete(label);
}

function stepOf(stage: Stage): Step | undefined {
  switch (stage.kind) {
    case 'line':
    case 'filter':
      return undefined;
    case 'decolorize':
      return (line) => {
        line.line = line.line.replaceAll(escapes, '');
      };
    case 'line_format':
      return (line) => {
        line.line = fillTemplate(stage.template, line);
      };
    case 'label_format':
      return (line) => {
        for (const { label, to } of stage.formats) {
          const value = to.kind === 'rename' ? valueOf(line, to.from) : fillTemplate(to.of, line);
          if (to.kind === 'rename') remove(line, to.from);
          remove(line, label);
          if (value !== '') line.parsed.set(label, value);
        }
      };
    case 'drop':
    case 'keep':
      return hideLabels(stage.labels, stage.kind === 'keep');
    case 'json':
    case 'logfmt':
    case 'unpack':
    case 'captures':
      return parseStep(stage);
  }
}

/** Escape sequences of terminals: the same as `strip_ansi_escapes` of APL removes. */
const escapes = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[PX^_][^\\u001b]*(?:\\u001b\\\\)?',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);

function fillTemplate(template: Template, line: Line): string {
  let text = '';
  for (const part of template) {
    if (part.kind === 'text') {
      text += part.text;
      continue;
    }
    const { start, calls } = part;
    const value = start.kind === 'line' ? line.line : start.kind === 'text' ? start.text : valueOf(line, start.label);
    text += calls.reduce((of, { fn, args }) => templateFunction(fn).run(of, args), value);
  }
  return text;
}

function hideLabels(labels: readonly NamedLabel[], others: boolean): Step {
  const tests = new Map(labels.map(({ label, matcher }) => [label, matcher && matcherTest(matcher)] as const));
  return (line) => {
    for (const label of [...line.fields.keys(), ...line.parsed.keys()]) {
      if (others && label === '__error__') continue;
      const isNamed = tests.has(label) && (tests.get(label)?.(valueOf(line, label)) ?? true);
      if (isNamed !== others) remove(line, label);
    }
  };
}

function matcherTest({ op, value }: Matcher): (text: string) => boolean {
  const negated = op.startsWith('!');
  if (!op.endsWith('~')) return (text) => (text === value) !== negated;
  const regex = RE2JS.compile(`^(?:${value})$`);
  return (text) => regex.matcher(text).matches() !== negated;
}

function parseStep(parser: Parser): Step {
  const read = readerOf(parser);
  return (line) => {
    const found = read(line.line);
    if (found === undefined) {
      line.parsed.set('__error__', 'JSONParserErr');
      return;
    }
    for (const [name, value] of found) {
      // A label of the stream keeps its name.
      const label = line.stored.has(name) ? `${name}_extracted` : name;
      if (value !== '' && !line.parsed.has(label)) line.parsed.set(label, value);
    }
    if (parser.kind === 'unpack') line.line = found.get('_entry') ?? line.line;
    line.parsed.delete('_entry');
  };
}

/** Labels of a line; undefined for one that the parser cannot read. */
function readerOf(parser: Parser): (line: string) => ReadonlyMap<string, string> | undefined {
  switch (parser.kind) {
    case 'json': {
      if (parser.only === undefined) return (line) => mapDefined(jsonWithDigits(line), flatLabels);
      const paths = parser.only.map(({ label, path }) => ({ label, path: jsonPathOf(path)! }));
      return (line) =>
        mapDefined(
          jsonObject(line),
          (object) => new Map(paths.map(({ label, path }) => [label, shownAt(object, path)] as const)),
        );
    }
    case 'logfmt': {
      const { only } = parser;
      if (only === undefined) return (line) => logfmtLabels(line);
      return (line) => {
        const all = logfmtLabels(line, (key) => key);
        return new Map(only.map(({ label, path }) => [label, all.get(path) ?? ''] as const));
      };
    }
    case 'unpack':
      return (line) =>
        mapDefined(
          jsonObject(line),
          (object) =>
            new Map(
              Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
            ),
        );
    case 'captures': {
      const regex = RE2JS.compile(parser.regex);
      return (line) => {
        const matcher = regex.matcher(line);
        if (!matcher.find()) return new Map();
        return new Map(parser.captures.map(({ label, group }) => [label, matcher.group(group) ?? ''] as const));
      };
    }
  }
}

const mapDefined = <T, R>(value: T | undefined, to: (value: T) => R): R | undefined =>
  value === undefined ? undefined : to(value);

function shownAt(object: unknown, path: readonly (string | number)[]): string {
  let value = object;
  for (const step of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string | number, unknown>>)[step]
        : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}
