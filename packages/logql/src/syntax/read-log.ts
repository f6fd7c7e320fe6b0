import type { SyntaxNode } from '@lezer/common';
import { readRegex } from '@millrace/apl/positions';
import { logqlBounds } from '../model/bounds.js';
import { bytesOf, durationOf } from '../model/units.js';
import type {
  Condition,
  Extraction,
  LabelFormat,
  LineOperator,
  LogQuery,
  Matcher,
  MatchOperator,
  NamedLabel,
  NumberOperator,
  Stage,
  Unwrap,
} from './ast.js';
import { jsonPathOf } from './json-path.js';
import { patternCaptures, patternFilter, regexCaptures } from './patterns.js';
import type { Source } from './source.js';
import { parseTemplate, type Template, TemplateProblem } from './template.js';

/** Turns the nodes of log queries into stages. */
export class LogReader {
  readonly #source: Source;
  #stages = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /**
   * The selector and the stages of a node that has them among its children.
   * @throws LogqlProblem
   */
  log(node: SyntaxNode): LogQuery {
    const source = this.#source;
    const inner = source.child(node, 'LogExpr');
    if (inner !== undefined) return this.log(inner);
    const selector = source.child(node, 'Selector');
    if (selector === undefined) throw source.problem(node, 'a selector is expected, as in {app="web"}');
    const matchers = source.child(selector, 'Matchers');
    const pipeline = source.child(node, 'PipelineExpr');
    return {
      selector: (matchers === undefined ? [] : source.items(matchers)).map((each) => this.#matcher(each)),
      stages: pipeline === undefined ? [] : source.items(pipeline).flatMap((stage) => this.#stage(stage)),
      span: source.span(node),
    };
  }

  /** `unwrap` and the conditions after it. */
  unwrap(node: SyntaxNode): Unwrap {
    const source = this.#source;
    const inner = source.child(node, 'UnwrapExpr');
    if (inner !== undefined) {
      const unwrap = this.unwrap(inner);
      const filter = source.child(node, 'LabelFilter');
      return filter === undefined ? unwrap : { ...unwrap, conditions: [...unwrap.conditions, this.#condition(filter)] };
    }
    const conversion = source.child(node, 'ConvOp');
    const name = conversion === undefined ? '' : source.text(conversion);
    return {
      label: source.text(source.child(node, 'Identifier')!),
      unit: name === 'bytes' ? 'bytes' : name === '' ? 'number' : 'duration',
      conditions: [],
      span: source.span(node),
    };
  }

  #matcher(node: SyntaxNode): Matcher {
    const source = this.#source;
    const [label, op, value] = source.children(node);
    const matcher: Matcher = {
      kind: 'matcher',
      label: source.text(label!),
      op: source.text(op!) as MatchOperator,
      value: source.string(value!),
      span: source.span(node),
    };
    if (matcher.op.endsWith('~')) this.#checkRegex(value!, matcher.value);
    return matcher;
  }

  #checkRegex(node: SyntaxNode, regex: string): void {
    const reading = readRegex(regex);
    if (!reading.ok) throw this.#source.problem(node, `invalid regular expression: ${reading.message}`);
  }

  #count(node: SyntaxNode): void {
    const { max } = logqlBounds.logqlStages;
    if (++this.#stages > max) throw this.#source.problem(node, `more than ${max} stages and conditions`);
  }

  #stage(node: SyntaxNode): readonly Stage[] {
    const source = this.#source;
    const lines = source.child(node, 'LineFilters');
    if (lines !== undefined) return source.items(lines).map((each) => this.#lineFilter(each));
    this.#count(node);
    const stage = source.children(node).find(({ name }) => name !== 'Pipe');
    if (stage === undefined) throw source.problem(node, 'a stage is expected after |');
    return [this.#namedStage(stage)];
  }

  #lineFilter(node: SyntaxNode): Stage {
    const source = this.#source;
    this.#count(node);
    if (source.child(node, 'FilterOp') !== undefined)
      throw source.problem(
        node,
        'ip() in a line filter is not supported; extract the address into a label, then compare the label with ip()',
      );
    const op = source.text(source.child(node, 'Filter')!) as LineOperator;
    const texts: string[] = [];
    for (let at: SyntaxNode | undefined = node; at !== undefined; at = source.child(at, 'OrFilter')) {
      const string = source.child(at, 'String');
      if (string === undefined) throw source.problem(at, 'a text is expected after or');
      const text = source.string(string);
      if (op.endsWith('~')) this.#checkRegex(string, text);
      texts.push(op.endsWith('>') ? patternFilter(text) : text);
    }
    return { kind: 'line', op, texts, span: source.span(node) };
  }

  #namedStage(node: SyntaxNode): Stage {
    const source = this.#source;
    const span = source.span(node);
    switch (node.name) {
      case 'LabelParser':
        return this.#parser(node);
      case 'LogfmtParser':
        return { kind: 'logfmt', span };
      case 'JsonExpressionParser':
      case 'LogfmtExpressionParser': {
        const kind = node.name === 'JsonExpressionParser' ? 'json' : 'logfmt';
        const list = source.items(source.child(node, 'LabelExtractionExpressionList')!);
        return { kind, only: list.map((each) => this.#extraction(each, kind)), span };
      }
      case 'LabelFilter':
        return { kind: 'filter', condition: this.#condition(node), span };
      case 'DecolorizeExpr':
        return { kind: 'decolorize', span };
      case 'LineFormatExpr':
        return { kind: 'line_format', template: this.#template(source.child(node, 'String')!), span };
      case 'LabelFormatExpr':
        return {
          kind: 'label_format',
          formats: source.items(source.child(node, 'LabelsFormat')!).map((each) => this.#labelFormat(each)),
          span,
        };
      case 'DropLabelsExpr':
        return { kind: 'drop', labels: this.#namedLabels(source.child(node, 'DropLabels')!), span };
      case 'KeepLabelsExpr':
        return { kind: 'keep', labels: this.#namedLabels(source.child(node, 'KeepLabels')!), span };
      default:
        throw source.problem(node, `the stage '${source.text(node).slice(0, 30)}' is not supported`);
    }
  }

  #parser(node: SyntaxNode): Stage {
    const source = this.#source;
    const span = source.span(node);
    const [name, text] = source.children(node);
    switch (name!.name) {
      case 'Json':
        return { kind: 'json', span };
      case 'Unpack':
        return { kind: 'unpack', span };
      case 'Regexp':
      case 'Pattern': {
        const written = source.string(text!);
        const found = name!.name === 'Regexp' ? regexCaptures(written) : patternCaptures(written);
        if (typeof found === 'string') throw source.problem(text!, found);
        return { kind: 'captures', ...found, span };
      }
      default:
        throw source.problem(node, `the parser ${source.text(name!)} is not supported`);
    }
  }

  #extraction(node: SyntaxNode, kind: 'json' | 'logfmt'): Extraction {
    const source = this.#source;
    const label = source.text(source.child(node, 'Identifier')!);
    const string = source.child(node, 'String');
    const path = string === undefined ? label : source.string(string);
    if (kind === 'json' && jsonPathOf(path) === undefined)
      throw source.problem(
        string ?? node,
        `${JSON.stringify(path)} is no path of members; write it as in "a.b[0]['c d']"`,
      );
    return { label, path, span: source.span(node) };
  }

  #template(node: SyntaxNode): Template {
    try {
      return parseTemplate(this.#source.string(node));
    } catch (error) {
      if (error instanceof TemplateProblem) throw this.#source.problem(node, error.message);
      throw error;
    }
  }

  #labelFormat(node: SyntaxNode): LabelFormat {
    const source = this.#source;
    const [label, , value] = source.children(node);
    return {
      label: source.text(label!),
      to:
        value!.name === 'String'
          ? { kind: 'template', of: this.#template(value!) }
          : { kind: 'rename', from: source.text(value!) },
      span: source.span(node),
    };
  }

  #namedLabels(node: SyntaxNode): readonly NamedLabel[] {
    const source = this.#source;
    return source.items(node).map((each) => {
      const matcher = source.child(each, 'Matcher');
      if (matcher === undefined) return { label: source.text(source.child(each, 'Identifier')!) };
      const read = this.#matcher(matcher);
      return { label: read.label, matcher: read };
    });
  }

  #condition(node: SyntaxNode): Condition {
    const source = this.#source;
    this.#count(node);
    const span = source.span(node);
    const parts = source.children(node);
    const filters = parts.filter(({ name }) => name === 'LabelFilter');
    if (filters.length === 2) {
      const kind = source.child(node, 'Or') === undefined ? 'and' : 'or';
      return { kind, left: this.#condition(filters[0]!), right: this.#condition(filters[1]!), span };
    }
    if (filters.length === 1) return this.#condition(filters[0]!);
    const [only] = parts;
    switch (only?.name) {
      case 'Matcher':
        return this.#matcher(only);
      case 'UnitFilter':
        return this.#numeric(only.firstChild!);
      case 'NumberFilter':
        return this.#numeric(only);
      case 'IpLabelFilter': {
        const op = source.text(source.children(only)[1]!);
        return {
          kind: 'ip',
          label: source.text(source.child(only, 'Identifier')!),
          negated: op === '!=',
          range: source.string(source.child(only, 'String')!),
          span,
        };
      }
      default:
        throw source.problem(node, `the condition '${source.text(node).slice(0, 60)}' is not supported`);
    }
  }

  #numeric(node: SyntaxNode): Condition {
    const source = this.#source;
    const [label, op, value] = source.children(node);
    const text = source.text(value!);
    const unit = node.name === 'NumberFilter' ? 'number' : node.name === 'DurationFilter' ? 'duration' : 'bytes';
    const read = {
      number: () => Number(text.replaceAll(/\s/g, '')),
      duration: () => (durationOf(text) ?? Number.NaN) / 1e9,
      bytes: () => bytesOf(text) ?? Number.NaN,
    }[unit]();
    if (Number.isNaN(read)) throw source.problem(value!, `${JSON.stringify(text)} is no ${unit}`);
    const written = source.text(op!);
    return {
      kind: 'number',
      unit,
      label: source.text(label!),
      op: (written === '=' ? '==' : written) as NumberOperator,
      value: read,
      span: source.span(node),
    };
  }
}
