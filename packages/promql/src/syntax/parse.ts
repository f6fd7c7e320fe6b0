import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { findNearest } from '@millrace/apl/positions';
import { aggregations } from '../model/aggregations.js';
import { functions } from '../model/functions.js';
import type { Expr } from './ast.js';
import { ExprReader } from './read-expr.js';
import { Source } from './source.js';
import { FoundModifiers } from './time-modifiers.js';

/**
 * Reads the text of a query.
 * @throws ParseProblem
 */
export function parse(text: string): Expr {
  const source = new Source(text);
  if (text.trim() === '') throw source.problem({ from: 0 }, 'no expression found in input');
  const tree = parseTree(text, source);
  const modifiers = new FoundModifiers(tree);
  const bare = modifiers.isEmpty ? tree : parseTree(modifiers.mask(text), source);
  const [root] = source.children(bare.topNode);
  if (root === undefined) throw source.problem({ from: 0 }, 'no expression found in input');
  const expr = new ExprReader(source, modifiers).read(root);
  if (modifiers.misplaced !== undefined)
    throw source.problem(modifiers.misplaced, 'offset and @ must follow a selector or a subquery');
  return expr;
}

/** @throws ParseProblem */
function parseTree(text: string, source: Source): Tree {
  const tree = parser.parse(text);
  const broken = firstError(tree);
  if (broken !== undefined) throw source.problem(broken, problemAt(broken, text));
  return tree;
}

function firstError(tree: Tree): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  tree.iterate({
    enter({ type, node }) {
      if (type.isError && (found === undefined || node.from < found.from)) found = node;
    },
  });
  return found;
}

const longestToken = 30;

function problemAt({ from }: SyntaxNode, text: string): string {
  const rest = text.slice(from);
  const called = /[a-zA-Z_]\w*\s*$/.exec(text.slice(0, from))?.[0].trim();
  if (rest.startsWith('(') && called !== undefined) {
    const near = findNearest(called, [...Object.keys(functions), ...Object.keys(aggregations)]);
    return `unknown function with name "${called}"${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
  const token = /^\s*(\w+|"[^"]*"|\S)/.exec(rest)?.[1];
  if (token === undefined) return 'unexpected end of input';
  if (token.startsWith('$')) return 'unexpected character: "$"; variables are replaced before a query is sent';
  return `unexpected ${JSON.stringify(token.slice(0, longestToken))}`;
}
