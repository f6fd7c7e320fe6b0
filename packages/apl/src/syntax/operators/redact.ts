import type { Operator, Option } from '../ast.js';
import { parseExpression } from '../expressions.js';
import { commaList } from '../lists.js';
import { parseDottedName, parseName } from '../names.js';
import type { Parser } from '../parser.js';

const OPTIONS = ['replaceToken', 'replaceHash', 'redactGroups'];

/**
 *     redact = "redact" { option } expression { "," expression } [ "on" dotted-name { "," dotted-name } ]
 *     option = ( "replaceToken" | "replaceHash" | "redactGroups" ) "=" expression
 */
export function parseRedact(p: Parser, start: number): Operator {
  const options: Option[] = [];
  while (p.peek().kind === 'word' && p.at('=', 1)) {
    options.push(parseRedactOption(p));
    // A comma between options is wrong but unambiguous.
    if (p.at(',') && p.peek(1).kind === 'word' && p.at('=', 2)) p.take();
  }
  const patterns = commaList(p, () => parseExpression(p), { ends: ['on'] });
  const on = p.accept('on') === undefined ? [] : commaList(p, () => parseDottedName(p, 'a field'));
  return { kind: 'redact', options, patterns, on, span: p.spanFrom(start) };
}

function parseRedactOption(p: Parser): Option {
  const name = parseName(p, 'an option');
  p.take();
  if (!OPTIONS.includes(name.text)) {
    const meant = p.findNearest(name.text, OPTIONS);
    const fix = meant === undefined ? undefined : { title: `Write ${meant}`, replacement: meant };
    p.error(name.span, `redact has no option ${name.text}; there is ${OPTIONS.join(', ')}`, fix);
  }
  return { name, value: p.withModes({ textsStandAlone: 'always' }, () => parseExpression(p)) };
}
