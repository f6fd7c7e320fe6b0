import type { Protocol } from './protocol.js';
import { elastic } from './elastic/protocol.js';
import { splunk } from './splunk/protocol.js';

/** The protocols of other products in which events are taken, each in a folder of its name. */
export const protocols = { splunk, elastic } as const satisfies Record<string, Protocol>;

export type ProtocolName = keyof typeof protocols;
