import type { Operator, ScanStep } from '../ast.js';
import { parseNamed } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { bracketedList, commaList } from '../lists.js';
import { parseName, parseType } from '../names.js';
import type { Parser } from '../parser.js';

type Scan = Extract<Operator, { kind: 'scan' }>;

/**
 *     scan    = "scan" [ "with_match_id" "=" name ] [ "declare" "(" declared { "," declared } ")" ] "with" "(" step { ";" step } [ ";" ] ")"
 *     declared = name ":" type [ "=" expression ]
 */
export function parseScan(p: Parser, start: number): Operator {
  let matchId;
  if (p.accept('with_match_id') !== undefined) {
    p.expect('=', 'after with_match_id');
    matchId = parseName(p, 'a name for the number of the sequence');
  }
  const declared = p.accept('declare') === undefined ? [] : parseDeclared(p);
  p.expect('with', 'before the steps of scan');
  const opening = p.open('(', 'before the steps of scan: with (step a: condition; …)');
  const steps: ScanStep[] = [];
  if (opening !== undefined) {
    while (p.at('step')) {
      steps.push(parseStep(p));
      if (p.accept(';') === undefined) break;
    }
    if (steps.length === 0) p.reportUnexpected('a step: step name: condition');
    p.close(opening);
  }
  return { kind: 'scan', ...(matchId && { matchId }), declared, steps, span: p.spanFrom(start) };
}

function parseDeclared(p: Parser): Scan['declared'] {
  const opening = p.open('(', 'before the columns that scan adds: (name: type = value)');
  if (opening === undefined) return [];
  return bracketedList(p, opening, () => {
    const name = parseName(p, 'a column: name: type = value');
    p.expect(':', 'before the type of the column');
    const type = parseType(p);
    return p.accept('=') === undefined ? { name, type } : { name, type, default: parseExpression(p) };
  });
}

/**
 *     step = "step" name [ "output" "=" ( "all" | "last" | "none" ) ] ":" expression [ "=>" name "=" expression { "," name "=" expression } ]
 */
function parseStep(p: Parser): ScanStep {
  const { start } = p.peek();
  p.take();
  const name = parseName(p, 'a name for the step');
  let output: ScanStep['output'] = 'all';
  if (p.accept('output') !== undefined) {
    p.expect('=', 'after output');
    const written = parseName(p, 'all, last or none');
    if (written.text === 'all' || written.text === 'last' || written.text === 'none') output = written.text;
    else p.error(written.span, 'the output of a step is all, last or none');
  }
  p.expect(':', 'before the condition of the step');
  const condition = parseExpression(p);
  const assigned = p.accept('=>') === undefined ? [] : commaList(p, () => parseNamed(p), { ends: [';'] });
  return { name, output, condition, assigned, span: p.spanFrom(start) };
}
