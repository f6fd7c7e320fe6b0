import type { Token } from '../syntax/tokens.js';

/** Whether a token is this symbol, or this word without backquotes. */
export const isWritten = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token !== undefined && (token.kind === 'symbol' || token.kind === 'name') && texts.includes(token.text);

const isOperator = (token: Token | undefined): boolean => isWritten(token, '+', '-', '*', '/');

/** Whether the operator at an index stands between two values, or follows `map` or `using`. */
const isInfix = (tokens: readonly Token[], index: number): boolean =>
  isOperator(tokens[index]) && isWritten(tokens[index - 1], 'map', 'using');

/**
 * Decides whether a token has a blank before it on its line.
 * @param tokens without comments
 */
export function isSpaced(tokens: readonly Token[], index: number): boolean {
  const [earlier, left, right] = [tokens[index - 2], tokens[index - 1], tokens[index]!];
  if (left === undefined || isWritten(right, ',', ';', ')', ']') || isWritten(left, '(', '[')) return false;
  if (isWritten(left, '..', '::') || isWritten(right, '..', '::')) return false;
  if (isWritten(right, ':')) return false;
  if (isWritten(left, ':')) return isDeclaration(tokens, index);
  if (isWritten(left, '<') || isWritten(right, '<', '>')) return !isDeclaration(tokens, index);
  // Signs before numbers.
  if (isOperator(left) && !isInfix(tokens, index - 1)) return false;
  if (isWritten(right, '(')) return left.kind !== 'name' || isWritten(left, 'where', 'filter', 'and', 'or', 'not');
  // A time range after the metric.
  if (isWritten(right, '[')) return !isWritten(earlier, ':');
  return true;
}

/** Whether a token belongs to `param $name: type;`. */
function isDeclaration(tokens: readonly Token[], index: number): boolean {
  const begin = tokens.slice(0, index).findLastIndex((token) => isWritten(token, ';')) + 1;
  return isWritten(tokens[begin], 'param') && tokens[begin + 1]?.kind === 'param';
}
