import { describe, expect, test } from 'vitest';
import { aggregateNames } from '../aggregates/index.js';
import { specialForms } from '../bind/calls/special.js';
import { functionNames } from '../functions/index.js';
import { atCursor } from '../testing/editor.js';
import { signatureHelp } from './signature-help.js';

/** The active signature, with its active parameter in guillemets. */
function at(marked: string): string {
  const { text, offset } = atCursor(marked);
  const help = signatureHelp(text, offset);
  if (help === undefined) return 'nothing';
  const { label, parameters } = help.signatures[help.activeSignature]!;
  const active = parameters[help.activeParameter];
  return active === undefined ? label : label.replace(active, `«${active}»`);
}

describe('the active parameter', () => {
  test.each([
    ['logs | where strlen(‸', 'strlen(«text: string»)'],
    ['logs | where strlen(‸)', 'strlen(«text: string»)'],
    ['logs | extend x = substring(method, ‸', 'substring(text: string, «start: long», [length: long])'],
    ['logs | extend x = substring(method, 1, ‸2)', 'substring(text: string, start: long, «[length: long]»)'],
    ['logs | extend x = strcat(a, b, c, d‸)', 'strcat(value: string, «more: string…»)'],
    ['logs | extend x = strlen(substring(method, ‸', 'substring(text: string, «start: long», [length: long])'],
    ['logs | extend x = substring(trim(method), ‸', 'substring(text: string, «start: long», [length: long])'],
    ['logs | extend x = substring(dynamic([1, 2])[0], ‸', 'substring(text: string, «start: long», [length: long])'],
    ['logs | extend x = substring("a, b", ‸', 'substring(text: string, «start: long», [length: long])'],
    ['logs | extend x = substring("a, ‸', 'substring(«text: string», start: long, [length: long])'],
    ['logs | extend x = substring(// a, b\n‸', 'substring(«text: string», start: long, [length: long])'],
    ['logs | summarize countif(‸', 'countif(«predicate: bool»)'],
    ['logs | where toscalar(‸', 'toscalar(«Table | …»)'],
    ['let f = (a: long, b: string = "x") { a }; print f(1, ‸', 'f(a: long, «[b: string]»)'],
    ['logs | extend x = now() + (‸', 'nothing'],
    ['logs | where strlen(method)‸', 'nothing'],
    ['logs | where strlen‸(method)', 'nothing'],
    ['logs | join (‸', 'nothing'],
    ['‸', 'nothing'],
  ])('%s', (marked, expected) => expect(at(marked)).toBe(expected));
});

test('the first signature that takes as many arguments as are written is active', () => {
  const { text, offset } = atCursor('print bin_at(1, 2, ‸');
  const help = signatureHelp(text, offset)!;
  expect(help.signatures.length).toBeGreaterThan(1);
  expect(help.signatures[help.activeSignature]!.parameters.length).toBeGreaterThan(help.activeParameter);
});

test('everything that can be called has a signature', () => {
  for (const name of [...functionNames(), ...aggregateNames(), ...specialForms.keys()]) {
    const help = signatureHelp(`print ${name}(`, `print ${name}(`.length);
    expect([name, help?.signatures.length]).not.toEqual([name, 0]);
    for (const { label, parameters, documentation } of help?.signatures ?? []) {
      expect(label.startsWith(`${name}(`)).toBe(true);
      for (const parameter of parameters) expect(label).toContain(parameter);
      expect(documentation).not.toBe('');
    }
  }
});
