import { hostname } from 'node:os';
import type { NodeInfo } from './node.js';

/** A single node, which shares events with no other. */
export function singleNode(version: string): NodeInfo {
  const started = new Date().toISOString();
  let where = '';
  return {
    clock: Date.now,
    isLeader: () => true,
    live: () => 1,
    list: async () => [
      { epoch: 0, name: hostname(), version, url: where, started, seen: new Date().toISOString(), live: true },
    ],
    recordAddress: (url) => void (where = url),
  };
}
