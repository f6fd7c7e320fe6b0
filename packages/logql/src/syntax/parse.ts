import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@grafana/lezer-logql';
import type { Query } from './ast.js';
import { LogReader } from './read-log.js';
import { MetricReader } from './read-metric.js';
import { Source } from './source.js';

/**
 * Reads the text of a query.
 * @throws LogqlProblem
 */
export function parse(text: string): Query {
  const source = new Source(text);
  if (text.trim() === '') throw source.problem({ from: 0 }, 'syntax error: the query is empty');
  const tree = parseTree(text);
  if (tree === undefined) throw source.problem({ from: 0 }, `the query nests deeper than ${deepest} levels`);
  const broken = firstError(tree);
  if (broken !== undefined) throw source.problem(broken, problemAt(broken, text));
  const root = tree.topNode.getChild('Expr')?.firstChild;
  if (root?.name === 'LogExpr') return { kind: 'log', log: new LogReader(source).log(root) };
  if (root?.name === 'MetricExpr') return { kind: 'metric', metric: new MetricReader(source).read(root) };
  throw source.problem({ from: 0 }, 'syntax error: a query is expected');
}

/** Deeper trees would overflow the stack; stages nest as well. */
const deepest = 1000;

/** The tree of a text, if it is not too deep, also for the parser. */
function parseTree(text: string): Tree | undefined {
  try {
    const tree = parser.parse(text);
    let [depth, most] = [0, 0];
    tree.iterate({
      enter() {
        most = Math.max(most, ++depth);
      },
      leave() {
        depth--;
      },
    });
    return most > deepest ? undefined : tree;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
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

/** Words that Loki's language has and the grammar or this server has not. */
const notSupported: Readonly<Record<string, string>> = {
  approx_topk: 'use topk',
  distinct: 'use sum by (…) (count_over_time(…))',
};

function problemAt({ from }: SyntaxNode, text: string): string {
  const rest = text.slice(from);
  const token = /^\s*(\w+|"[^"]*"|\S)/.exec(rest)?.[1];
  const before = /(\w+)\s*$/.exec(text.slice(0, from))?.[1] ?? '';
  for (const word of [token ?? '', before])
    if (Object.hasOwn(notSupported, word)) return `${word} is not supported; ${notSupported[word]}`;
  if (token === undefined) return 'syntax error: unexpected end of input';
  if (token === '}' && /\{\s*$/.test(text.slice(0, from))) return 'the selector needs a label; write as {app=~".+"}';
  if (token.startsWith('$')) return 'syntax error: unexpected "$"; variables are replaced before a query is sent';
  if (token === 'unwrap') return 'unwrap belongs into a range aggregation, as in sum_over_time({…} | unwrap x [5m])';
  return `syntax error: unexpected ${JSON.stringify(token.slice(0, longestToken))}`;
}
