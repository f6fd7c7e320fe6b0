import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import type { SourceContext } from '../run/source-context.js';
import type { SourceKind } from '../run/source-kind.js';
import { consumeGroup } from './consume-group.js';
import { addressOf } from './broker-address.js';

type Properties = SourcePropertiesOf<'kafka'>;

/** Topics of Kafka, read as a member of a consumer group. */
export const kafkaSource: SourceKind<Properties> = {
  problemOf({ brokers, mechanism, username, password }) {
    const wrong = brokers.find((broker) => addressOf(broker) === undefined);
    if (wrong !== undefined) return `'brokers' has '${wrong}', which is not host:port`;
    const hasLogin = username !== undefined && password !== undefined && password !== '';
    if ((mechanism !== undefined) !== hasLogin)
      return `'mechanism', 'username' and 'password' belong together; give all of them, or none`;
    return undefined;
  },
  destinationOf: ({ brokers, tls, ca }) => JSON.stringify([brokers, tls === true, ca ?? '']),
  async run(properties, context) {
    // Loaded with the first source: the client takes memory and time.
    const { joinGroup } = await import('./kafka-client.js');
    const member = await joinGroup(properties, context);
    try {
      await consumeGroup(member, properties, context);
    } finally {
      await member.close();
    }
  },
};

/** The consumer group of a source. */
export const groupOf = ({ group }: Properties, { id }: Pick<SourceContext, 'id'>): string => group ?? `millrace-${id}`;
