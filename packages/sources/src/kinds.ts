import type { SourceKindName, SourceProperties, SourcePropertiesOf } from '@millrace/api/schemas/source';
import { bucketSource } from './bucket/bucket-source.js';
import { kafkaSource } from './kafka/kafka-source.js';
import type { SourceContext } from './run/source-context.js';
import type { SourceKind } from './run/source-kind.js';

/** Every kind of source. A new one is a folder, a line here, and its settings in the schema. */
export const sourceKinds: { readonly [Name in SourceKindName]: SourceKind<SourcePropertiesOf<Name>> } = {
  kafka: kafkaSource,
  bucket: bucketSource,
};

/** The only kind of a source's properties; undefined if there is not exactly one. */
export function kindOf(properties: SourceProperties): SourceKindName | undefined {
  const names = (Object.keys(sourceKinds) as readonly SourceKindName[]).filter(
    (name) => properties[name] !== undefined,
  );
  return names.length === 1 ? names[0] : undefined;
}

/** What a source of any kind does with its properties. */
interface BoundKind {
  problem(): string | undefined;
  destination(): string;
  run(context: SourceContext): Promise<void>;
}

/** Joins a kind and its properties, whose types belong together. */
export function boundKind<Name extends SourceKindName>(name: Name, properties: SourcePropertiesOf<Name>): BoundKind {
  const kind = sourceKinds[name] as SourceKind<SourcePropertiesOf<Name>>;
  return {
    problem: () => kind.problemOf(properties),
    destination: () => kind.destinationOf(properties),
    run: (context) => kind.run(properties, context),
  };
}
