import type { ReceivedEvent } from './event.js';
import type { Limits } from './options.js';

/** Where checks look: a dataset, or all of a server. */
export interface Source {
  /** `dataset logs`, for messages. */
  readonly label: string;
  readonly limits: Limits;
  /** The newest events; up to `maxEvents` of each dataset, in order of time. */
  read(): Promise<readonly ReceivedEvent[]>;
  /** Events of the other datasets of the server. */
  readOthers(): Promise<readonly ReceivedEvent[]>;
  /** Requests that the server rejected since this source exists. */
  rejected(): readonly string[];
}

/** Also found in objects of another copy of this module: as CommonJS, or in a sandbox. */
const key = Symbol.for('@millrace/testing source');

export const withSource = <T extends object>(object: T, source: Source): T =>
  Object.defineProperty(object, key, { value: source });

/** @throws TypeError if a matcher got something else */
export function sourceOf(received: unknown): Source {
  const source = (received as { readonly [key]?: Source } | null | undefined)?.[key];
  if (source === undefined)
    throw new TypeError(
      'expected a server of startMillrace() or a dataset of its dataset(); await startMillrace() first',
    );
  return source;
}
