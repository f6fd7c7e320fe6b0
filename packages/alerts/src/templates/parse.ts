import { functionNames } from './functions.js';
import { type Piece, piecesOf, type Token, tokensOf } from './lex.js';
import type { Command, Control, VariableDeclaration, Node, Operand, Pipeline } from './nodes.js';
import { TemplateError } from './template-error.js';
import { variables } from './variables.js';
import { requestBounds } from '@millrace/api/limits';

/**
 *     template = { text | "{{" action "}}" }
 *     action   = ("if" | "with" | "range") [ declared ] pipeline … [ "else" [ "if" pipeline ] … ] "end"
 *              | [ declared ] pipeline
 *     declared = "$name" [ "," "$name" ] (":=" | "=")
 *     pipeline = command { "|" command }
 *     command  = operand { operand }
 *     operand  = constant | function | ( "." | ".field" | "$name" | "(" pipeline ")" ) { ".field" }
 *
 * This is as much of the templates of Go as notifications use.
 * @throws TemplateError
 */
export function parseTemplate(template: string): readonly Node[] {
  return new Reader(piecesOf(template)).block(true, new Set()).nodes;
}

const blocks: ReadonlySet<string> = new Set(['if', 'with', 'range']);
/** Words of Go's templates that need other templates or leave loops. */
const notKnown: ReadonlySet<string> = new Set(['define', 'template', 'block', 'break', 'continue']);

interface Block {
  readonly nodes: readonly Node[];
  /** The action that ended it. */
  readonly end?: { readonly tokens: readonly Token[]; readonly at: number };
}

class Reader {
  readonly #pieces: readonly Piece[];
  #next = 0;
  #level = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** @param isRoot whether the dot is the root value, so that its fields can be checked */
  block(isRoot: boolean, known: ReadonlySet<string>, opened?: number): Block {
    const nodes: Node[] = [];
    const names = new Set(known);
    while (this.#next < this.#pieces.length) {
      const piece = this.#pieces[this.#next++]!;
      if (piece.kind === 'text') {
        nodes.push({ kind: 'text', text: piece.text });
        continue;
      }
      const tokens = tokensOf(piece.source, piece.at);
      const [first] = tokens;
      if (first === undefined) throw new TemplateError(piece.at, 'this action is empty');
      const word = first.kind === 'word' ? first.text : '';
      if (word === 'end' || word === 'else') {
        if (opened === undefined) throw new TemplateError(first.at, `'${word}' without an if, with or range before it`);
        return { nodes, end: { tokens, at: first.at } };
      }
      if (notKnown.has(word)) throw new TemplateError(first.at, `'${word}' is not known here`);
      nodes.push(
        blocks.has(word)
          ? this.#control(word as 'if', tokens.slice(1), first.at, isRoot, names)
          : outputOf(tokens, piece.at, isRoot, names),
      );
    }
    if (opened !== undefined) throw new TemplateError(opened, 'this has no end');
    return { nodes };
  }

  #control(
    kind: 'if' | 'with' | 'range',
    tokens: readonly Token[],
    at: number,
    isRoot: boolean,
    names: ReadonlySet<string>,
  ): Node {
    const { declared, rest } = declarationIn(tokens);
    const pipeline = pipelineOf(rest, at, isRoot, names);
    if (++this.#level > requestBounds.templateLevels.max)
      throw new TemplateError(at, `blocks are nested deeper than ${requestBounds.templateLevels.max} levels`);
    try {
      return this.#controlOf({ kind, pipeline, ...(declared !== undefined && { declared }) }, at, isRoot, names);
    } finally {
      this.#level--;
    }
  }

  #controlOf(
    start: Pick<Control, 'kind' | 'pipeline' | 'declared'>,
    at: number,
    isRoot: boolean,
    names: ReadonlySet<string>,
  ): Node {
    const inner = new Set([...names, ...(start.declared?.variables ?? [])]);
    const body = this.block(isRoot && start.kind === 'if', inner, at);
    const node = { ...start, body: body.nodes };
    const { tokens: ending, at: place } = body.end!;
    if (isWord(ending[0], 'end')) return { ...node, otherwise: [] };
    const [, second, ...others] = ending;
    // `else if` is an `if` in the other branch, which shares the end.
    if (isWord(second, 'if')) return { ...node, otherwise: [this.#control('if', others, place, isRoot, names)] };
    if (second !== undefined) throw new TemplateError(second.at, 'nothing but an if may follow else');
    const otherwise = this.block(isRoot, inner, at);
    if (!isWord(otherwise.end!.tokens[0], 'end')) throw new TemplateError(otherwise.end!.at, 'a second else');
    return { ...node, otherwise: otherwise.nodes };
  }
}

const isWord = (token: Token | undefined, text: string): boolean => token?.kind === 'word' && token.text === text;
const isSymbol = (token: Token | undefined, text: string): boolean => token?.kind === 'symbol' && token.text === text;

function outputOf(tokens: readonly Token[], at: number, isRoot: boolean, names: Set<string>): Node {
  const { declared, rest } = declarationIn(tokens);
  const pipeline = pipelineOf(rest, at, isRoot, names);
  if (declared === undefined) return { kind: 'output', pipeline };
  for (const variable of declared.variables) {
    if (declared.assigns && !names.has(variable)) throw new TemplateError(at, `there is no variable $${variable}`);
    names.add(variable);
  }
  return { kind: 'output', pipeline, declared };
}

function declarationIn(tokens: readonly Token[]): {
  readonly declared?: VariableDeclaration;
  readonly rest: readonly Token[];
} {
  const [first, second, third, fourth] = tokens;
  if (first?.kind !== 'variable') return { rest: tokens };
  const name = first.text.slice(1);
  if (isSymbol(second, ':=') || isSymbol(second, '='))
    return { declared: { variables: [name], assigns: isSymbol(second, '=') }, rest: tokens.slice(2) };
  if (isSymbol(second, ',') && third?.kind === 'variable' && isSymbol(fourth, ':='))
    return { declared: { variables: [name, third.text.slice(1)], assigns: false }, rest: tokens.slice(4) };
  return { rest: tokens };
}

function pipelineOf(tokens: readonly Token[], at: number, isRoot: boolean, names: ReadonlySet<string>): Pipeline {
  const [pipeline, rest] = readPipeline(tokens, at, isRoot, names);
  const [extra] = rest;
  if (extra !== undefined) throw new TemplateError(extra.at, 'nothing can stand here');
  return pipeline;
}

type Read<T> = readonly [T, rest: readonly Token[]];

function readPipeline(
  tokens: readonly Token[],
  at: number,
  isRoot: boolean,
  names: ReadonlySet<string>,
): Read<Pipeline> {
  const commands: Command[] = [];
  let rest = tokens;
  for (;;) {
    const operands: Operand[] = [];
    while (rest.length > 0 && !isSymbol(rest[0], '|') && !isSymbol(rest[0], ')')) {
      const [operand, after] = readOperand(rest, isRoot, names);
      operands.push(operand);
      rest = after;
    }
    const [head, ...args] = operands;
    if (head === undefined) throw new TemplateError(rest[0]?.at ?? at, 'a value is missing');
    if (head.kind !== 'function' && (args.length > 0 || commands.length > 0))
      throw new TemplateError(head.at, 'only a function takes values');
    commands.push({ head, args });
    if (!isSymbol(rest[0], '|')) return [{ commands, at }, rest];
    rest = rest.slice(1);
  }
}

function readOperand(tokens: readonly Token[], isRoot: boolean, names: ReadonlySet<string>): Read<Operand> {
  const [token, ...rest] = tokens;
  if (token === undefined) throw new RangeError('an operand of nothing');
  const { at } = token;
  switch (token.kind) {
    case 'string':
    case 'number':
      return [{ kind: 'constant', value: token.value, at }, rest];
    case 'word': {
      const constants: Readonly<Record<string, boolean | null>> = { true: true, false: false, nil: null };
      if (Object.hasOwn(constants, token.text)) return [{ kind: 'constant', value: constants[token.text]!, at }, rest];
      if (!functionNames.has(token.text))
        throw new TemplateError(at, `there is no function '${token.text}'; there are ${[...functionNames].join(', ')}`);
      return [{ kind: 'function', name: token.text, at }, rest];
    }
    case 'field':
      return withFields('dot', tokens, at, isRoot);
    case 'variable': {
      const variable = token.text.slice(1);
      if (variable !== '' && !names.has(variable)) throw new TemplateError(at, `there is no variable $${variable}`);
      return withFields({ variable }, rest, at, variable === '');
    }
    case 'symbol': {
      if (token.text === '.') return [{ kind: 'chain', of: 'dot', fields: [], at }, rest];
      if (token.text !== '(') throw new TemplateError(at, `'${token.text}' cannot stand here`);
      const [pipeline, after] = readPipeline(rest, at, isRoot, names);
      if (!isSymbol(after[0], ')')) throw new TemplateError(at, 'this parenthesis is not closed');
      return withFields(pipeline, after.slice(1), at, false);
    }
  }
}

/** @param isKnown whether the first field is one of the template's variables */
function withFields(
  of: Extract<Operand, { kind: 'chain' }>['of'],
  tokens: readonly Token[],
  at: number,
  isKnown: boolean,
): Read<Operand> {
  const fields: string[] = [];
  let rest = tokens;
  while (rest[0]?.kind === 'field' && (of === 'dot' && fields.length === 0 ? true : rest[0].glued)) {
    const [token, ...after] = rest;
    const name = token!.kind === 'field' ? token!.text.slice(1) : '';
    const [owner] = fields;
    if (isKnown && fields.length === 0 && !variables.has(name))
      throw new TemplateError(
        token!.at,
        `there is no variable .${name}; there are ${[...variables].map((known) => `.${known}`).join(', ')}`,
      );
    if (isKnown && fields.length === 1 && owner !== 'MatchedEvent')
      throw new TemplateError(token!.at, `.${owner} has no fields`);
    fields.push(name);
    rest = after;
  }
  return [{ kind: 'chain', of, fields, at }, rest];
}
