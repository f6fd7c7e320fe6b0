import { type Keyword, operators, sources, statements } from '../syntax/lexing/keywords.js';
import type { Token } from '../syntax/lexing/tokens.js';
import type { Frame, Place } from './place.js';

/** The step of a pipeline, or the statement, that the cursor stands in. */
export interface Step {
  /**
   * The innermost bracket that holds a pipeline or a statement, and how many brackets are around
   * it.
   */
  readonly frame: Frame;
  readonly depth: number;
  /**
   * Whether the step gets rows from the previous step, which also applies to the first operator in
   * the body of an `mv-apply`.
   */
  readonly piped: boolean;
  /**
   * The operator, source or statement whose arguments are being written; absent while its own name
   * is being written.
   */
  readonly keyword?: Keyword;
  /** Index of the first token after that name; without one, of the first token of the step. */
  readonly first: number;
}

const byName = (keywords: readonly Keyword[]): ReadonlyMap<string, Keyword> =>
  new Map(keywords.map((keyword) => [keyword.name, keyword]));

export const operatorsByName = byName(operators);
export const sourcesByName = byName(sources);
export const statementsByName = byName(statements);

/** Finds the step, looking from the innermost bracket outwards. */
export function stepAt(place: Place): Step {
  for (let depth = place.frames.length - 1; depth > 0; depth--) {
    const step = stepIn(place, depth);
    if (step !== undefined) return step;
  }
  return statementStep(place);
}

function stepIn(place: Place, depth: number): Step | undefined {
  const frame = place.frames[depth]!;
  if (frame.pipe >= 0) return pipedStep(place, depth, frame.pipe + 1);
  const bracket = place.before[frame.open]!;
  const opener = place.before[frame.open - 1];
  if (bracket.text === '{') return opener?.text === ')' ? sourceStep(place, depth, frame.first) : undefined;
  if (bracket.text !== '(') return undefined;
  if (opener?.text === 'toscalar') return sourceStep(place, depth, frame.first);
  const outer = stepAt({ ...place, frames: [place.frames[0], ...place.frames.slice(1, depth)] });
  // The bracket must belong to the step itself, not to one of its expressions.
  if (outer.depth !== depth - 1) return undefined;
  const { keyword } = outer;
  if (keyword?.name === 'mv-apply' && opener?.text === 'on') return pipedStep(place, depth, frame.first);
  const words = wordsBefore(place, outer, frame);
  const takesTable =
    keyword === undefined ? frame.open === outer.first : TABLE_OPERATORS.has(keyword.name) && !words.includes('on');
  return takesTable ? sourceStep(place, depth, frame.first) : undefined;
}

const TABLE_OPERATORS: ReadonlySet<string> = new Set(
  [...operators, ...sources].filter(({ syntax }) => / \(?Table\)?/.test(syntax)).map(({ name }) => name),
);

const wordsBefore = ({ before }: Place, { first }: Step, { open }: Frame): readonly string[] =>
  topLevelTokens(before.slice(first, open)).map(({ text }) => text);

/** The tokens outside brackets, together with the outermost brackets themselves. */
export function topLevelTokens(tokens: readonly Token[]): readonly Token[] {
  let depth = 0;
  return tokens.filter(({ kind, text }) => {
    if (kind !== 'punctuation') return depth === 0;
    if ('([{'.includes(text)) return depth++ === 0;
    if (')]}'.includes(text)) return (depth = Math.max(0, depth - 1)) === 0;
    return depth === 0;
  });
}

function statementStep(place: Place): Step {
  const [frame] = place.frames;
  if (frame.pipe >= 0) return pipedStep(place, 0, frame.pipe + 1);
  const keyword = statementsByName.get(place.before[frame.first]?.text ?? '');
  return keyword === undefined || place.before.length === frame.first
    ? sourceStep(place, 0, frame.first)
    : { frame, depth: 0, piped: false, keyword, first: frame.first + 1 };
}

/** A step that begins with the name of an operator, whose words are joined by dashes. */
function pipedStep({ before, frames }: Place, depth: number, first: number): Step {
  const frame = frames[depth]!;
  let end = first;
  let name = '';
  while (before[end]?.kind === 'word' && (end === first || before[end - 1]!.text === '-')) {
    name += before[end]!.text;
    end++;
    if (before[end]?.text !== '-' || before[end]!.start !== before[end - 1]!.end || before[end + 1]?.kind !== 'word')
      break;
    name += '-';
    end++;
  }
  const keyword = operatorsByName.get(name);
  return keyword === undefined
    ? { frame, depth, piped: true, first }
    : { frame, depth, piped: true, keyword, first: end };
}

function sourceStep({ before, frames }: Place, depth: number, first: number): Step {
  const frame = frames[depth]!;
  const keyword = sourcesByName.get(before[first]?.text ?? '');
  return keyword === undefined
    ? { frame, depth, piped: false, first }
    : { frame, depth, piped: false, keyword, first: first + 1 };
}
