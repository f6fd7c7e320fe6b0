import type { AddressRules } from '@millrace/http/outgoing/addresses';
import type { SourceContext } from './source-context.js';

/** A kind of source, such as Kafka. All of them are listed in `kinds.ts`. */
export interface SourceKind<Properties> {
  /**
   * Checks what the schema cannot express.
   * @returns the problem, beginning with the member
   */
  problemOf(properties: Properties): string | undefined;
  /** Where the source connects to. A stored secret is not sent to another place. */
  destinationOf(properties: Properties): string;
  /**
   * Reads until the signal aborts, and passes on batches with their positions.
   * @throws Error if the source cannot be read; the caller tries again later
   */
  run(properties: Properties, context: SourceContext): Promise<void>;
}

/** Rules for the addresses of sources. */
export const sourceAddresses = (allowsPrivate: boolean): AddressRules => ({
  allowsPrivate,
  setting: 'MILLRACE_SOURCE_PRIVATE_ADDRESSES',
});
