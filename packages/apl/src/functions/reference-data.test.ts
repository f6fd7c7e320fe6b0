import { expect, it } from 'vitest';
import { compileText } from '../testing/compile-text.js';

/** Errors of a query compiled without any reference data. */
function errors(expression: string): readonly string[] {
  const catalog = { names: [], dataset: () => undefined };
  return compileText(`print x = ${expression}`, { catalog }).diagnostics.map((d) => d.message);
}

it.each([
  ['genai_cost("m", 1, 1)', 'model-prices'],
  ['genai_input_cost("m", 1)', 'model-prices'],
  ['genai_output_cost("m", 1)', 'model-prices'],
  ['genai_get_pricing("m")', 'model-prices'],
  ['geo_info_from_ip_address("192.0.2.1")', 'geo-networks'],
])('%s is refused without its data', (expression, setting) => {
  expect(errors(expression)).toEqual([expect.stringContaining(`the setting ${setting} names no file`)]);
});
