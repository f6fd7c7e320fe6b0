import type { Ast, Dataset, ScalarType } from '@millrace/apl';
import { call, column } from './build.js';

/** How the fields of a dataset are labels and lines. */

interface StoredField {
  readonly name: string;
  readonly types: readonly ScalarType[];
}

/** Fields with the line of an event, the first that a dataset has counts. */
const lineFields = ['message', 'body', 'msg', '_raw', 'log', 'line'];

/** Names that a push keeps apart from our own fields, and the labels that they came from. */
const apart = ['message', '_time', '_sysTime'];
const pushedFields: ReadonlyMap<string, string> = new Map([
  ...apart.map((name) => [`metadata.${name}`, name] as const),
  ...apart.map((name) => [`labels.${name}`, name] as const),
]);

/** A field name as labels are written. */
function labelOf(field: string): string {
  const label = pushedFields.get(field) ?? field.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^\d/.test(label) ? `_${label}` : label;
}

export class Schema {
  readonly #dataset: Dataset;
  /** Label → field; of several, the one of exactly that name. */
  readonly #fields = new Map<string, StoredField>();
  #rare: ReadonlyMap<string, string> | undefined;
  /** The field with the line; without one, the line is the event as JSON. */
  readonly line: string | undefined;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
    const has = (name: string): boolean => dataset.fields.has(name) || dataset.rest?.fields.has(name) === true;
    this.line = lineFields.find(has);
    for (const field of dataset.fields.values())
      this.#add({ name: field.name, types: field.readings.map(({ type }) => type) });
  }

  #add(field: StoredField): void {
    if (field.name === this.line || field.name === '_time' || field.name === '_sysTime') return;
    const label = labelOf(field.name);
    const known = this.#fields.get(label);
    if (
      known === undefined ||
      field.name === label ||
      (pushedFields.has(field.name) && field.name.startsWith('labels.'))
    )
      this.#fields.set(label, field);
  }

  get dataset(): string {
    return this.#dataset.name;
  }

  /** Labels with few enough fields to list, in the order of their names. */
  labels(): readonly string[] {
    return [...this.#fields.keys()].toSorted();
  }

  /** The label that a column of the result is; undefined for the line and times. */
  labelOfColumn(column: string): string | undefined {
    if (column === this.line || column === '_time' || column === '_sysTime') return undefined;
    const label = labelOf(column);
    const field = this.#fields.get(label);
    return field === undefined || field.name === column ? label : undefined;
  }

  #field(label: string): StoredField | undefined {
    const known = this.#fields.get(label);
    const rest = this.#dataset.rest?.fields;
    if (known !== undefined || rest === undefined) return known;
    this.#rare ??= new Map([...rest.names()].map((name) => [labelOf(name), name]));
    const name = rest.has(label) ? label : this.#rare.get(label);
    return name === undefined || name === this.line ? undefined : { name, types: [] };
  }

  has = (label: string): boolean => this.#field(label) !== undefined;

  /** The text of a label; undefined if no event has it. */
  text(label: string, span: Ast.Span): Ast.Expr | undefined {
    const field = this.#field(label);
    if (field === undefined) return undefined;
    const value = column(field.name, span);
    return field.types.length === 1 && field.types[0] === 'string' ? value : call(span, 'tostring', value);
  }

  /** Whether values of the label may be few: numbers with fractions, times and objects are not. */
  isGroupable(label: string): boolean {
    const types = this.#field(label)?.types ?? [];
    return types.length > 0 && types.every((type) => type === 'string' || type === 'long' || type === 'bool');
  }
}
