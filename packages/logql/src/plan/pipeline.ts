import type { Ast } from '@millrace/apl';
import { templateFunction } from '../model/template-functions.js';
import type { LogQuery, Matcher, NamedLabel, Parser, Stage } from '../syntax/ast.js';
import type { Template } from '../syntax/template.js';
import { call, column, junction, literal, member, namedExpr, not, textTest, where, binary } from './build.js';
import { conditionExpr, matchText, type TextOf } from './conditions.js';
import { extractValue, namesOf } from './extract.js';
import type { Schema } from './schema.js';

/** What a stage leaves: the line, and the text of each label. */
interface State {
  readonly line: Ast.Expr;
  readonly text: TextOf;
  /** Labels that the stages added; undefined if lines decide which. */
  readonly added: readonly string[] | undefined;
  /** Whether labels of the fields remain unless named in `added`. */
  readonly keepsFields: boolean;
  readonly removed: ReadonlySet<string>;
}

/** Names of the columns that the translation adds; no field has such a name by ingest. */
const prefix = 'logql ';

/** The column with the line that the event was stored with. */
export const lineColumn = `${prefix}line`;

export const isOwnColumn = (name: string): boolean => name.startsWith(prefix);

/**
 * The stages of a log query as operators of APL. A label becomes a column when a stage needs it.
 */
export class Pipeline {
  readonly operators: Ast.Operator[] = [];
  readonly #schema: Schema;
  readonly #fail: (span: Ast.Span, message: string) => never;
  #columns = 0;
  #state: State;

  /** @param fail throws an error about a part that is not supported */
  constructor(log: LogQuery, schema: Schema, fail: (span: Ast.Span, message: string) => never) {
    this.#schema = schema;
    this.#fail = fail;
    for (const matcher of log.selector)
      this.operators.push(where(matchText(schema.text(matcher.label, matcher.span), matcher, matcher.span)));
    if (schema.line === undefined)
      this.operators.push({
        kind: 'extend',
        valid: false,
        columns: [namedExpr(lineColumn, eventAsJson(log.span))],
        span: log.span,
      });
    this.#state = {
      line: column(schema.line ?? lineColumn, log.span),
      text: (label, span) => schema.text(label, span),
      added: [],
      keepsFields: true,
      removed: new Set(),
    };
    for (const stage of log.stages) this.#stage(stage);
  }

  get line(): Ast.Expr {
    return this.#state.line;
  }

  /** The text of a label after all stages. */
  text: TextOf = (label, span) => this.#state.text(label, span);

  /**
   * The labels after all stages, without fields left out by `drop` or `keep`; undefined if lines
   * decide which there are.
   */
  labels(fields: readonly string[]): readonly string[] | undefined {
    const { added, keepsFields, removed } = this.#state;
    if (added === undefined) return undefined;
    return [...new Set([...(keepsFields ? fields : []), ...added])].filter((name) => !removed.has(name));
  }

  /** Adds a condition. */
  filter(predicate: Ast.Expr): void {
    this.operators.push(where(predicate));
  }

  /** Adds a column. */
  column(value: Ast.Expr): Ast.Expr {
    if (value.kind === 'name' || value.kind === 'literal') return value;
    const name = `${prefix}${this.#columns++}`;
    this.operators.push({ kind: 'extend', valid: false, columns: [namedExpr(name, value)], span: value.span });
    return column(name, value.span);
  }

  #stage(stage: Stage): void {
    const state = this.#state;
    switch (stage.kind) {
      case 'line': {
        const [first, ...others] = stage.texts.map((text) =>
          textTest(stage.op === '|=' || stage.op === '!=' ? 'contains' : 'matches regex', state.line, text),
        );
        const any = junction('or', [first!, ...others]);
        return this.filter(stage.op.startsWith('!') ? not(any) : any);
      }
      case 'filter':
        return this.filter(conditionExpr(stage.condition, state.text, this.#fail));
      case 'json':
      case 'logfmt':
      case 'unpack':
      case 'captures':
        return this.#parse(stage);
      case 'decolorize':
        this.#state = { ...state, line: this.column(call(stage.span, 'strip_ansi_escapes', state.line)) };
        return;
      case 'line_format':
        this.#state = { ...state, line: this.column(this.#fillTemplate(stage.template, stage.span)) };
        return;
      case 'label_format':
        for (const { label, to, span } of stage.formats) {
          if (to.kind === 'template') this.#set(label, this.column(this.#fillTemplate(to.of, span)));
          else {
            this.#set(label, this.#state.text(to.from, span));
            this.#hide([{ label: to.from }], false);
          }
        }
        return;
      case 'drop':
        return this.#hide(stage.labels, false);
      case 'keep':
        return this.#hide(stage.labels, true);
    }
  }

  #set(name: string, value: Ast.Expr | undefined): void {
    const { text, added, removed, ...rest } = this.#state;
    this.#state = {
      ...rest,
      text: (label, span) => (label === name ? value : text(label, span)),
      added: added && [...added, name],
      removed: new Set([...removed].filter((each) => each !== name)),
    };
  }

  /** @param others hides all labels except the named ones */
  #hide(labels: readonly NamedLabel[], others: boolean): void {
    const { text, added, removed, keepsFields, ...rest } = this.#state;
    const known = new Map(labels.map((each) => [each.label, each] as const));
    const whole = labels.filter(({ matcher }) => matcher === undefined).map(({ label }) => label);
    const conditional = (matcher: Matcher, span: Ast.Span): Ast.Expr | undefined => {
      const value = text(matcher.label, span);
      if (value === undefined) return undefined;
      const matches = matchText(value, matcher, span);
      return call(span, 'iff', others ? matches : not(matches), value, literal('', span));
    };
    this.#state = {
      ...rest,
      text: (label, span) => {
        const found = known.get(label);
        if (found === undefined) return others && label !== '__error__' ? undefined : text(label, span);
        if (found.matcher !== undefined) return conditional(found.matcher, span);
        return others ? text(label, span) : undefined;
      },
      keepsFields: keepsFields && !others,
      added: others ? [...known.keys()].filter((name) => !removed.has(name)) : added,
      removed: others ? new Set() : new Set([...removed, ...whole]),
    };
  }

  #parse(parser: Parser): void {
    const before = this.#state;
    const { line } = before;
    const made = new Map<string, Ast.Expr | undefined>();
    const find = (name: string): Ast.Expr | undefined => {
      if (!made.has(name)) {
        const value = extractValue(parser, name, line, (each) => this.column(each));
        made.set(name, value && this.column(value));
      }
      return made.get(name);
    };
    const names = namesOf(parser);
    this.#state = {
      ...before,
      text: (label, span) => {
        if (label === '__error__') return this.#error(parser, line) ?? before.text(label, span);
        const stem = /^(.+)_extracted$/.exec(label)?.[1];
        const isTwice = stem !== undefined && this.#schema.has(stem);
        const given = before.text(label, span);
        const found = find(label);
        const twice = isTwice ? find(stem) : undefined;
        const again =
          twice &&
          call(span, 'iff', call(span, 'isnotempty', this.#schema.text(stem!, span)!), twice, literal('', span));
        const texts = [given, found, again].filter((each) => each !== undefined);
        if (texts.length <= 1) return texts[0];
        return this.column(call(span, 'coalesce', ...texts));
      },
      added:
        names === undefined || before.added === undefined
          ? undefined
          : [
              ...before.added,
              ...names.flatMap((name) => (this.#schema.has(name) ? [name, `${name}_extracted`] : [name])),
            ],
      removed: new Set([...before.removed].filter((name) => names?.includes(name) === false)),
    };
    if (parser.kind === 'unpack') {
      const entry = call(parser.span, 'tostring', member(call(parser.span, 'parse_json', line), '_entry'));
      this.#state = { ...this.#state, line: this.column(call(parser.span, 'coalesce', entry, line)) };
    }
  }

  /** The error of a parser: the text is empty where there is none. */
  #error(parser: Parser, line: Ast.Expr): Ast.Expr | undefined {
    if (parser.kind !== 'json' && parser.kind !== 'unpack') return undefined;
    const { span } = parser;
    const isObject = binary('==', call(span, 'gettype', call(span, 'parse_json', line)), literal('dictionary', span));
    return this.column(call(span, 'iff', isObject, literal('', span), literal('JSONParserErr', span)));
  }

  #fillTemplate(template: Template, span: Ast.Span): Ast.Expr {
    const { line, text } = this.#state;
    const parts = template.map((part): Ast.Expr => {
      if (part.kind === 'text') return literal(part.text, span);
      const { start, calls } = part;
      const value =
        start.kind === 'line'
          ? line
          : start.kind === 'text'
            ? literal(start.text, span)
            : (text(start.label, span) ?? literal('', span));
      const filled = calls.reduce((of, { fn, args }) => templateFunction(fn).lower(of, args), value);
      return call(span, 'coalesce', filled, literal('', span));
    });
    return parts.length === 0 ? literal('', span) : call(span, 'strcat', ...parts);
  }
}

/** The fields that an event has as JSON. */
function eventAsJson(span: Ast.Span): Ast.Expr {
  const times: Ast.Expr = {
    kind: 'dynamic',
    value: { kind: 'array', items: [literal('_time', span), literal('_sysTime', span)], span },
    span,
  };
  return call(span, 'tostring', call(span, 'bag_remove_keys', call(span, 'pack_all', truth(span)), times));
}

const truth = (span: Ast.Span): Ast.Expr => ({ kind: 'literal', type: 'bool', value: true, span });
