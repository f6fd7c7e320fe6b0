import { expect, test } from 'vitest';
import { CloseStack } from './close-stack.js';

const steps = (closed: string[], failing: boolean) => (opened: CloseStack) => {
  for (const name of ['log', 'engine']) opened.add(() => void closed.push(name));
  return failing ? Promise.reject(new Error('no such file')) : Promise.resolve(opened);
};

test('what was opened is closed in reverse, once', async () => {
  const closed: string[] = [];
  const opened = await CloseStack.run(steps(closed, false));
  expect(closed).toEqual([]);
  await opened.close();
  await opened.close();
  expect(closed).toEqual(['engine', 'log']);
});

test('a step that fails closes what was opened before it', async () => {
  const closed: string[] = [];
  await expect(CloseStack.run(steps(closed, true))).rejects.toThrow('no such file');
  expect(closed).toEqual(['engine', 'log']);
});

test('what cannot be closed keeps nothing else open', async () => {
  const closed: string[] = [];
  const opened = await CloseStack.run(steps(closed, false));
  for (const disk of ['first', 'second']) opened.add(() => Promise.reject(new Error(`the ${disk} disk is full`)));
  await expect(opened.close()).rejects.toThrow('the second disk is full');
  expect(closed).toEqual(['engine', 'log']);
});

test('what cannot be closed does not hide why a step failed', async () => {
  const closed: string[] = [];
  const failToOpen = (opened: CloseStack) => {
    opened.add(() => void closed.push('log'));
    opened.add(() => Promise.reject(new Error('the disk is full')));
    return Promise.reject(new Error('no such file'));
  };
  await expect(CloseStack.run(failToOpen)).rejects.toThrow('no such file');
  expect(closed).toEqual(['log']);
});
