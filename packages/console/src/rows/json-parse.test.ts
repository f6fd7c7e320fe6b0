import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type JsonNode, parseJson } from './json-parse.js';

const writeNode = (node: JsonNode): string => {
  switch (node.kind) {
    case 'scalar':
      return node.text;
    case 'array':
      return `[${node.items.map(writeNode).join(',')}]`;
    case 'object':
      return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}:${writeNode(value)}`).join(',')}}`;
  }
};

it('any JSON round-trips', () =>
  fc.assert(
    fc.property(fc.json(), (text) => {
      const tree = parseJson(text);
      expect(tree).toBeDefined();
      expect(JSON.parse(writeNode(tree!))).toEqual(JSON.parse(text));
    }),
  ));

it('numbers keep their digits', () =>
  expect(parseJson('[12345678901234567890]')).toEqual({
    kind: 'array',
    items: [{ kind: 'scalar', text: '12345678901234567890', type: 'number' }],
  }));

it.each(['', '[', '{"a":', '[1,]', '{a:1}', '1 2', '['.repeat(5000)])('%s is invalid', (text) =>
  expect(parseJson(text)).toBeUndefined(),
);
