import { expect, test } from 'vitest';
import { ConnectionSlots } from './connection-slots.js';

interface NamedConnection {
  readonly name: string;
  readonly bytesRead: number;
}

/** Slots for three connections, and the evicted ones. */
function three() {
  const gone: string[] = [];
  const places = new ConnectionSlots<NamedConnection>(3, ({ name }) => void gone.push(name));
  const take = (name: string, from: string, bytesRead = 0): NamedConnection | undefined => {
    const connection = { name, bytesRead };
    return places.take(connection, from) ? connection : undefined;
  };
  return { places, gone, take };
}

test('as many as there are get a place, and one that is left is free', () => {
  const { places, take, gone } = three();
  const [first] = ['1', '2', '3'].map((name) => take(name, 'a'));
  expect(take('4', 'a')).toBeUndefined();
  places.leave(first!);
  expect([take('5', 'a')?.name, gone]).toEqual(['5', []]);
});

test('a newcomer takes a slot from the sender with the most slots, starting with the least sent', () => {
  const { take, gone } = three();
  for (const [name, bytes] of Object.entries({ busy: 1000, quiet: 1, other: 100 })) take(name, 'greedy', bytes);
  expect([take('new', 'second')?.name, gone]).toEqual(['new', ['quiet']]);
  // Two to one: the greedy client would then have no more than the new one.
  expect([take('5', 'second'), take('6', 'greedy'), gone]).toEqual([undefined, undefined, ['quiet']]);
  expect([take('7', 'third')?.name, gone]).toEqual(['7', ['quiet', 'other']]);
});
