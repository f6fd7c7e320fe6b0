import { expect, test } from 'vitest';
import { Opened } from './opened.js';

const steps = (closed: string[], failing: boolean) => (opened: Opened) => {
  for (const name of ['log', 'engine']) opened.add(() => void closed.push(name));
  return failing ? Promise.reject(new Error('no such file')) : Promise.resolve(opened);
};

test('what was opened is closed in reverse, once', async () => {
  const closed: string[] = [];
  const opened = await Opened.during(steps(closed, false));
  expect(closed).toEqual([]);
  await opened.close();
  await opened.close();
  expect(closed).toEqual(['engine', 'log']);
});

test('a step that fails closes what was opened before it', async () => {
  const closed: string[] = [];
  await expect(Opened.during(steps(closed, true))).rejects.toThrow('no such file');
  expect(closed).toEqual(['engine', 'log']);
});
