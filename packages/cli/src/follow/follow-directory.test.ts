import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followDirectory } from './follow-directory.js';
import { lineEvents } from './line-events.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-follow-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const append = (name: string, text: string): void => appendFileSync(at(name), text);

/** A server that stores a key once, and rejects another body under it. */
class Store {
  readonly #bodies = new Map<string, string>();
  /** Requests until one fails: before it is stored, or after. */
  nextFailure: { in: number; stored: boolean } | undefined;

  readonly send = async (lines: Buffer, name: string, key: string): Promise<void> => {
    const fails = this.nextFailure !== undefined && this.nextFailure.in-- === 0 ? this.nextFailure : undefined;
    const body = `${name}\n${lines.toString()}`;
    if (fails?.stored !== false) {
      expect(this.#bodies.get(key) ?? body).toBe(body);
      this.#bodies.set(key, body);
    }
    if (fails !== undefined) throw new Error('killed');
  };

  get lines(): readonly string[] {
    return [...this.#bodies.values()]
      .flatMap((body) =>
        body
          .split('\n')
          .slice(1)
          .filter((line) => line !== ''),
      )
      .sort();
  }
}

/** Follows for one poll before, and one after each step. */
async function run(store: Store, ...steps: readonly (() => void)[]): Promise<void> {
  const rest = [...steps];
  await followDirectory({
    directory,
    stateFile: at('.state'),
    requestBytes: 64,
    send: store.send,
    say: async () => undefined,
    pause: async () => {
      const step = rest.shift();
      step?.();
      return step !== undefined;
    },
  });
}

const nothing = (): void => undefined;

test('lines are sent as they are written, the incomplete one when it is complete, also after a restart', async () => {
  const store = new Store();
  append('a.log', 'one\ntw');
  append('b.log.gz', 'packed\n');
  await run(store, () => append('a.log', 'o\nthr'));
  expect(store.lines).toEqual(['one', 'two']);
  append('a.log', 'ee\n');
  await run(store);
  expect(store.lines).toEqual(['one', 'three', 'two']);
});

test('a renamed file goes on under its new name, and its number is free for another', async () => {
  const store = new Store();
  append('a.log', '1\n2\n');
  await run(store, () => {
    append('a.log', '3\n');
    renameSync(at('a.log'), at('a.log.1'));
    append('a.log', '4\n');
  });
  append('a.log.1', '5\n');
  await run(store);
  expect(store.lines).toEqual(['1', '2', '3', '4', '5']);
});

test('a removed file is read to its end, its last line too', async () => {
  const store = new Store();
  append('a.log', '1\n');
  const remove = () => {
    append('a.log', '2\n3');
    unlinkSync(at('a.log'));
  };
  await run(store, remove, ...Array.from({ length: 6 }, () => nothing));
  expect(store.lines).toEqual(['1', '2', '3']);
});

test('a truncated file is read from its start, even if it is longer than before', async () => {
  const store = new Store();
  append('a.log', 'old 1\nold 2\n');
  await run(
    store,
    () => truncateSync(at('a.log')),
    () => append('a.log', 'new 1\n'),
    () => writeFileSync(at('a.log'), 'another 1\nanother 2\nanother 3\n'),
  );
  expect(store.lines).toEqual(['another 1', 'another 2', 'another 3', 'new 1', 'old 1', 'old 2']);
});

test('rotation by copying sends no line twice and the unsent rest of the original', async () => {
  const store = new Store();
  append('a.log', '1\n2\n');
  await run(
    store,
    () => copyFileSync(at('a.log'), at('a.log.1')),
    () => {
      append('a.log', '3\n');
      copyFileSync(at('a.log'), at('a.log.1'));
      truncateSync(at('a.log'));
    },
    () => append('a.log', '4\n'),
    nothing,
  );
  expect(store.lines).toEqual(['1', '2', '3', '4']);
});

test.each(Array.from({ length: 10 }, (_, i) => [Math.floor(i / 2), i % 2 === 0] as const))(
  'killed at request %i, stored: %s: every line once',
  async (request, stored) => {
    const store = new Store();
    const lines = Array.from({ length: 40 }, (_, i) => `line ${String(i).padStart(3, '0')}`);
    append('a.log', lines.slice(0, 20).join('\n') + '\n');
    append('b.log', lines.slice(20, 30).join('\n') + '\n');
    store.nextFailure = { in: request, stored };
    await expect(run(store)).rejects.toThrow('killed');
    // More lines, and a rotation, while nothing follows.
    append('a.log', lines.slice(30, 35).join('\n') + '\n');
    renameSync(at('a.log'), at('a.log.1'));
    append('a.log', lines.slice(35).join('\n') + '\n');
    await run(store);
    expect(store.lines).toEqual(lines);
  },
);

test('an invalid state file is not overwritten', async () => {
  writeFileSync(at('.state'), '{}');
  await expect(run(new Store())).rejects.toThrow('cannot be read');
});

test('objects stay as they are, text becomes a message', () =>
  expect(lineEvents(Buffer.from('{"a":1}\r\n\n{"a":\ntext "x"')).toString()).toBe(
    '{"a":1}\n{"message":"{\\"a\\":"}\n{"message":"text \\"x\\""}\n',
  ));
