/** An event by its stored field names: `{ _time, level, 'user.id' }`, without absent fields. */
export type Event = Readonly<Record<string, unknown>>;

/** An event and where it is. */
export interface ReceivedEvent {
  readonly dataset: string;
  readonly event: Event;
}

/** A field of an event as a pattern finds it. */
interface FoundField {
  readonly name: string;
  readonly value: unknown;
}

/** Names of one thing: the first of pino, the next of winston, the last of OpenTelemetry. */
const levelNames: readonly string[] = ['level', 'severity', 'severity_text'];
const messageNames: readonly string[] = ['msg', 'message', 'body'];

export const isLevel = (path: string): boolean => levelNames.includes(path);

/** Attributes outside the conventions of OpenTelemetry are in this map field. */
const mapField = 'attributes.custom';

/**
 * Finds the field that a path of a pattern means: itself, an entry of an object, an attribute
 * wherever OpenTelemetry's is stored, or another name of the level or message.
 */
export function lookUp(event: Event, path: string): FoundField | undefined {
  const names = [path];
  const attribute = /^attributes\.(.+)$/.exec(path)?.[1];
  if (attribute !== undefined) names.push(`${mapField}.${attribute}`, attribute, `resource.${attribute}`);
  for (const group of [levelNames, messageNames]) if (group.includes(path)) names.push(...group);
  for (const name of names) {
    const value = entryOf(event, name);
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

/** The value under a dotted name: any part of it may be a stored object. */
function entryOf(event: Event, name: string): unknown {
  if (Object.hasOwn(event, name)) return event[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const outer = event[name.slice(0, dot)];
    if (isObject(outer)) {
      const value = entryOf(outer, name.slice(dot + 1));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** Fields, and the entries of objects by their names in patterns. */
export const entriesOf = (event: Event, prefix = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(event).flatMap(([name, value]) => {
    if (isObject(value)) return entriesOf(value, name === mapField ? 'attributes.' : `${prefix}${name}.`);
    return [[`${prefix}${name}`, value]];
  });

/** Not by prototype: a runner's sandbox has its own. */
export const isObject = (value: unknown): value is Event => Object.prototype.toString.call(value) === '[object Object]';

/** Spans have a kind, log records with a span's ID do not. */
export const isSpan = (event: Event): boolean => 'span_id' in event && 'name' in event && 'kind' in event;
