import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB, minute, second } from './setting-units.js';

/** What one query may take. */
export const querySettings = {
  queryTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 100,
    max: 60 * minute,
    doc: 'How long a query may run, with all its statements together; then it is stopped and answers 408. Waiting for its turn does not count.',
    reason: 'Clients give up after about that time.',
  },
  compileTimeout: {
    type: 'duration',
    default: 10 * second,
    min: 100,
    max: 10 * minute,
    doc: 'How long the text of a query may be worked on before it is asked, counted on a processor; beyond it the query is refused. That is done aside, so nobody else waits for it.',
    reason:
      'What people and programs write takes milliseconds, and the longest queries that can be asked at all take a second or two.',
  },
  maxStructuredBytes: {
    type: 'bytes',
    default: 128 * KiB,
    min: 16 * KiB,
    max: 4 * MiB,
    doc: 'Longest structured query, which is one in JSON.',
    reason:
      'A hundred times what people and programs send. Such a query is translated while others wait; a longer one can be asked in APL.',
  },
  maxFollowedCharacters: {
    type: 'integer',
    default: 16_384,
    min: 1024,
    max: 262_144,
    doc: 'Longest query that is followed: of a tail, or of a monitor of matching events.',
    reason: 'A page of text. It is read while others wait, and compiled again for each page of what comes.',
  },
  queryMemoryBytes: {
    type: 'bytes',
    default: 2 * GiB,
    min: 16 * MiB,
    max: 1024 * GiB,
    doc: 'Memory one query may use; then it is stopped and answers 432.',
    reason: 'One query cannot take all the memory of the engine.',
  },
  assuredQueryMemoryBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * MiB,
    max: 1024 * GiB,
    doc: 'Memory of the embedded engine that each query may use, whatever others use. It may use more at once if there is more: half of what is free of half of `MILLRACE_ENGINE_MEMORY_BYTES`. One that needs more than that is begun again when it may use `MILLRACE_QUERY_MEMORY_BYTES`, tokens one after the other.',
    reason:
      'Few queries need as much. All that run at once have it beside those that have more, so nobody waits for the memory of others but who needs very much.',
  },
  queryMaxRowsRead: {
    type: 'integer',
    default: 10_000_000_000,
    min: 1000,
    max: Number.MAX_SAFE_INTEGER,
    doc: 'Rows one query may read.',
    reason: 'The default is far beyond what the time limit allows; operators can set less.',
  },
  queryMaxResultBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * MiB,
    max: 2 * GiB,
    doc: 'Largest result of one query.',
    reason: 'Results are held in memory until they are sent.',
  },
  defaultQueryLimit: {
    type: 'integer',
    default: 1000,
    min: 1,
    max: 1_000_000,
    doc: 'Rows that a query returns if it does not say how many.',
    reason: 'What the interface documents.',
  },
  maxQueryLimit: {
    type: 'integer',
    default: 50_000,
    min: 1,
    max: 10_000_000,
    doc: 'Most rows a query returns, even if it asks for more.',
    reason: 'What the interface documents.',
  },
} as const satisfies Record<string, SettingRecord>;
