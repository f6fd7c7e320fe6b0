import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { memoryIo } from '../../testing/memory-io.js';
import { confirm } from './confirm.js';

/** Shows the prompt and presses these keys. */
function answerPrompt(keys: string): Promise<void> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.once('data', () => input.write(keys));
  return confirm(memoryIo({ terminal: true }), false, 'Delete it?', { input, output });
}

test('accepts yes', () => expect(answerPrompt('yes\r')).resolves.toBeUndefined());

test.each([
  ['another word', 'no\r', 'usage', 'nothing was changed'],
  ['nothing', '\r', 'usage', 'nothing was changed'],
  ['Ctrl-D', '\u0004', 'usage', 'nothing was changed'],
  ['Ctrl-C', '\u0003', 'interrupted', 'interrupted; nothing was changed'],
  ['Ctrl-C in the middle of a word', 'ye\u0003', 'interrupted', 'interrupted; nothing was changed'],
])('%s declines', (_, keys, exit, message) =>
  expect(answerPrompt(keys)).rejects.toMatchObject({ name: 'Failure', exit, message }),
);

test('tells a script to use --force', () =>
  expect(confirm(memoryIo({ input: ['yes\n'] }), false, 'Delete it?')).rejects.toMatchObject({
    message: 'Delete it? Say so with --force',
  }));
