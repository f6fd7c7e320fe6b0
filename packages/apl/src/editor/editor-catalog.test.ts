import { expect, it } from 'vitest';
import { complete, diagnose, editorCatalog, hover } from './index.js';

const catalog = editorCatalog({
  datasets: [
    {
      name: 'logs',
      fields: [
        { name: '_time', type: 'datetime' },
        { name: 'code', type: 'integer' },
        { name: 'level', type: 'integer|string' },
        { name: 'labels', type: 'map' },
        { name: 'odd', type: 'a type of a later version' },
      ],
      mapFields: ['labels'],
      virtualFields: [['isError', 'code >= 500']],
    },
  ],
  views: [['recent', 'logs | take 10']],
});

it('completes fields, virtual fields and views', () => {
  const labels = (text: string, kind: string) =>
    complete(text, text.length, catalog)
      .filter((item) => item.kind === kind)
      .map(({ label }) => label);
  expect(labels('logs | where ', 'field')).toEqual(expect.arrayContaining(['_time', 'code', 'labels', 'isError']));
  expect(labels('re', 'dataset')).toEqual(['recent']);
});

it.each([
  ['logs | where code == 5 and isError and labels.team == "a"', []],
  ['recent | where code startswith "5"', []],
  ['logs | where cod == 5', ['no column cod; did you mean code?']],
  ['logz', ['dataset logz not found; did you mean logs?']],
])('finds in %s', (text, messages) => expect(diagnose(text, catalog).map(({ message }) => message)).toEqual(messages));

it('shows the types of a field', () =>
  expect(hover('logs | where level == 5', 15, catalog)?.markdown).toContain('level: integer|string'));
