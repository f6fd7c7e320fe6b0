import { BodyFields } from './body-fields.js';
import type { Core, Host, Lease } from './core.js';
import type { CsvColumns } from './csv/header.js';
import { Drops } from './dropped-values.js';
import { type EncodeOptions, LabelsError } from './encode.js';
import { EventTime } from './event-time.js';
import { Failures } from './failures.js';
import { typeOfBit } from './fields.js';
import { floatText } from './json/float-text.js';
import { Source, skipSpace } from './json/source.js';
import { Names } from './names.js';
import { OTHER_FIELD } from './select-fields.js';
import { ROLE_NUMBER, roleOf } from './roles.js';

/** Too much of a body is no event. */
class GaveUp extends Error {}

/** Reads a body; stops early if too much of it is not events. */
export function stopAtGarbage(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof GaveUp)) throw error;
  }
}

/**
 * Writes the events of a body of any format into the core: begins and ends them, counts failures
 * and dropped values, and responds to the core's calls. Positions are offsets in the body.
 */
export class EventWriter {
  readonly lease: Lease;
  readonly core: Core;
  readonly source: Source;
  readonly fields: BodyFields;
  readonly names: Names;
  readonly failures: Failures;
  readonly drops: Drops;
  readonly #options: EncodeOptions;
  readonly #time: EventTime;
  /** Failures since the last event that was stored, and how many were stored by then. */
  #inARow = 0;
  #rows = 0;
  /** The body's address in the core's memory. */
  readonly start: number;
  /** Column names, if the body is CSV. */
  #columns: readonly string[] = [];
  /** Describes the place of an event, for the beginning of its failure message. */
  #placeOf: (position: number) => string = String;

  constructor(lease: Lease, body: Uint8Array, options: EncodeOptions) {
    const { limits, arrivalTime } = options;
    this.lease = lease;
    this.core = lease.core;
    this.#options = options;
    this.#time = new EventTime(options);
    this.source = new Source(body);
    const ofLayout = Number(options.parseTime !== undefined);
    this.core.begin(limits.maxValueBytes, limits.maxJsonDepth, arrivalTime, ofLayout);
    lease.host = this.#host();
    this.fields = new BodyFields(this.core, options);
    const { familiar, schema, only } = options;
    // Which names are dropped or put together is decided field by field.
    if (familiar !== undefined && schema === undefined && only === undefined)
      this.core.setKnower(familiar.mark, familiar.share, limits.maxRequestFields);
    this.names = Names.begin(lease, options);
    this.failures = new Failures(limits.maxFailuresReported);
    this.drops = new Drops(limits.maxDrops);
    this.start = lease.place(body);
    this.core.setEnd(this.start + body.length);
  }

  /** Sets the members that come before those of each event. Throws LabelsError. */
  setLabels(labels: Uint8Array): void {
    const first = skipSpace(labels, 0);
    const source = new Source(labels);
    const start = this.lease.place(labels);
    let next = -1;
    if (labels[first] === 0x7b) {
      this.core.setEnd(start + labels.length);
      const behind = this.core.skip(start + first);
      this.core.setEnd(this.start + this.source.end);
      next = behind === 0 ? source.fail(this.core.failedAt() - start, this.#expectedTypes()) : behind - start;
    } else {
      source.fail(first, 'an object');
    }
    if (next >= 0) {
      next = skipSpace(labels, next);
      if (next < source.end) next = source.fail(next, 'the end');
    }
    if (next < 0) {
      const at = source.failedAt;
      throw new LabelsError(
        `event labels, byte ${at}: expected ${source.expectedToken}, found ${source.foundText(at)}`,
      );
    }
    this.core.setLabels(start + first, start + labels.length);
  }

  /** Sets how failures of events that were read completely describe their place. */
  set placeOf(placeOf: (position: number) => string) {
    this.#placeOf = placeOf;
  }

  /**
   * Parses and ends the event whose `{` is at `at`, and the events that follow it directly (in an
   * array, after a comma). Returns the position after the last one, or -1 with the failure in
   * `source` if the first is not JSON.
   */
  readEvents(at: number, inArray: boolean): number {
    return this.#answer(this.core.readEvents(this.start + at, Number(inArray)));
  }

  /** The position where the event read last begins. */
  get lastEvent(): number {
    return this.core.lastEventAt() - this.start;
  }

  /** Checks any value; returns the position after it, or -1 with the failure in `source`. */
  skip(at: number): number {
    return this.#answer(this.core.skip(this.start + at));
  }

  /** Sets the columns of a CSV body. */
  setColumns({ names, named }: CsvColumns): void {
    this.#columns = names;
    this.core.setNamedColumns(named);
    for (const name of names) {
      const role = roleOf(name, this.#options);
      const isField = role === 'plain' || role === 'map';
      this.core.addColumn(ROLE_NUMBER[role], isField ? this.fields.addressOf(this.names.fieldNamed(name)) : 0);
    }
  }

  /** Fails the current event, which cannot be stored. */
  reject(position: number, why: () => string): void {
    const { core } = this;
    core.rollback();
    const index = core.rowCount() + this.failures.count;
    const time = core.hasTime() === 0 ? this.#options.arrivalTime : core.eventTime();
    const { maxFailuresInARow: max } = this.#options.limits;
    if (core.rowCount() > this.#rows) this.#inARow = 0;
    this.#rows = core.rowCount();
    const isLast = ++this.#inARow >= max;
    const end = isLast ? `; the ${max} before it were no events either, and nothing behind it was read` : '';
    this.failures.add(index, position, time, () => `event ${index}, ${why()}${end}`, isLast);
    if (isLast) throw new GaveUp();
  }

  #answer(address: number): number {
    if (address !== 0) return address - this.start;
    return this.source.fail(this.core.failedAt() - this.start, this.#expectedTypes());
  }

  /** What the core expected at the failure. */
  #expectedTypes(): string {
    return this.lease.text(this.core.expected());
  }

  /** The functions the core calls while it reads. */
  #host(): Host {
    const utf8 = (at: number, length: number): string => this.lease.memory.toString('utf8', at, at + length);
    const latin1 = (at: number, length: number): string => this.lease.memory.toString('latin1', at, at + length);
    const bytes = (at: number, length: number): Buffer => this.lease.memory.subarray(at, at + length);
    return {
      key: (parent, text, length) => this.names.add(parent, utf8(text, length)),
      longKey: (parent, text, length) => this.names.setLong(parent, bytes(text, length)),
      collided: (node, parent, raw, length) => this.names.recordCollision(node, parent, latin1(raw, length)),
      known: (parent, raw, length) => this.names.knownCollision(parent, latin1(raw, length)),
      field: (node) => this.fields.addressOf(this.names.field(node)),
      refuse: (field, type) => this.#refuse(this.names.fieldWithId(field).name, type),
      dropName: (node) => this.#dropName(this.names.of(node)),
      dropColumn: (column) => this.#dropName(this.#columns[column]!),
      otherField: () => this.fields.addressOf(this.names.fieldNamed(OTHER_FIELD)),
      otherName: (node, to) => this.lease.memory.write(JSON.stringify(this.names.of(node)), to),
      otherColumn: (column, to) => this.lease.memory.write(JSON.stringify(this.#columns[column]!), to),
      dropped: (stored) => this.drops.end(stored !== 0),
      timeOfText: (declared, text, length) => this.#time.text(declared !== 0, bytes(text, length)),
      timeOfInteger: (declared, value) => this.#time.integer(declared !== 0, value),
      timeOfNumber: (declared, text, length) => this.#time.number(declared !== 0, latin1(text, length)),
      timeOfOther: (declared, byte) => this.#time.other(declared !== 0, kindOf(byte)),
      timeless: (at, declared) => this.#rejectTime(at - this.start, declared !== 0),
      float: (text, length) => Number(latin1(text, length)),
      floatText: (value, to) => this.lease.memory.write(floatText(value), to, 'latin1'),
    };
  }

  #rejectTime(at: number, declared: boolean): void {
    this.reject(at, () => `${this.#placeOf(at)}: ${this.#time.problem(declared)}`);
  }

  #refuse(field: string, type: number): void {
    const saw = typeOfBit(type);
    const allowed = this.fields.declaredTypes(field);
    if (allowed === undefined) this.drops.add(field, 'undeclared', () => ({ kind: 'undeclared' }));
    else this.drops.add(field, saw, () => ({ kind: 'type', allowed, saw }));
  }

  #dropName(name: string): void {
    const limit = this.#options.limits.maxNameBytes;
    const short = Buffer.from(name).subarray(0, limit).toString();
    this.drops.add(short, 'name', () => ({ kind: 'name-too-long', limit }));
  }
}

/** Names a value that is neither a string nor a number, from its first byte. */
const kindOf = (byte: number): string => (byte === 0x5b ? 'an array' : byte === 0x7b ? 'an object' : 'a boolean');
