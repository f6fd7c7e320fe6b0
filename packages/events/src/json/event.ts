import type { Batch } from '../batch.js';
import { GrowingBytes, textBytes } from '../columns/bytes.js';
import { type Field, TYPE_BIT } from '../columns/field.js';
import type { EncodeOptions } from '../encode.js';
import type { EventTime } from '../event-time.js';
import type { FieldType } from '../fields.js';
import { type Role, roleOf } from '../roles.js';
import { type KeyNode, KeyTable } from './keys.js';
import { NumberValue, readNumber } from './number.js';
import { writeRepaired } from './repair.js';
import { skipColon, skipValue, skipWord } from './skip.js';
import { skipSpace, type Source } from './source.js';
import { readText, writeTooLong } from './text.js';

const EMPTY_OBJECT = textBytes(Buffer.from('{}'));

/**
 * Reads one event from its bytes straight into the columns of a batch. Objects flatten to dotted names, later values
 * of a name win. Every method takes a position and answers the one behind what it read, or -1 after `source.fail`.
 */
export class EventReader {
  readonly #batch: Batch;
  readonly #time: EventTime;
  readonly #keys: KeyTable;
  readonly #depth: number;
  readonly #longest: number;
  readonly #number = new NumberValue();
  readonly #scratch: GrowingBytes;
  readonly #text: GrowingBytes;

  constructor(batch: Batch, time: EventTime, options: EncodeOptions) {
    const { limits } = options;
    this.#batch = batch;
    this.#time = time;
    this.#depth = limits.maxDepth;
    this.#longest = limits.maxValueBytes;
    this.#scratch = new GrowingBytes(batch.arena);
    this.#text = new GrowingBytes(batch.arena);
    this.#keys = new KeyTable(batch.arena, limits.maxNameBytes, (name) => roleOf(name, options));
  }

  /** A place to read events from; one per kind of event, because it remembers the order of their keys. */
  root(): KeyNode {
    return this.#keys.root();
  }

  /** Reads the object whose `{` stands before `at`. */
  readEvent(source: Source, root: KeyNode, at: number): number {
    const first = skipSpace(source.buffer, at);
    return source.buffer[first] === 0x7d ? first + 1 : this.#readMembers(source, root, first, 1);
  }

  /** Checks any value without storing it. */
  skip(source: Source, at: number): number {
    return skipValue(source, at, Infinity, this.#scratch);
  }

  /** The members of an object that has some, from the first key on. */
  #readMembers(source: Source, parent: KeyNode, at: number, depth: number): number {
    const { buffer: bytes } = source;
    let i = at;
    let last: KeyNode | undefined;
    let guess = parent.first;
    for (;;) {
      if (bytes[i] !== 0x22) {
        return source.fail(i, last === undefined ? `a field name in quotes or '}'` : 'a field name in quotes');
      }
      const key = ++i;
      let node = guess;
      const same = node === undefined ? -1 : node.same(source, key);
      if (node !== undefined && same === node.kept && this.#repeat(node)) {
        i += same - 1;
      } else {
        if (node !== undefined && same >= 0) {
          i += node.keyLength;
        } else {
          node = this.#keys.find(parent, source, i);
          if (node === undefined) return -1;
          i = this.#keys.position;
          if (last === undefined) parent.first = node;
          else last.next = node;
        }
        if (bytes[i] === 0x3a && bytes[i + 1]! > 0x20) i++;
        else i = skipColon(source, i);
        if (i < 0) return i;
        const scalar = node.role === 'plain' && bytes[i] !== 0x7b;
        if (scalar) i = this.#readValue(source, node, i, depth);
        else if (node.role === 'plain') i = this.#readObject(source, node, i, depth);
        else i = this.#readSpecial(source, node, node.role, i, depth);
        if (i < 0) return i;
        this.#remember(node, key, scalar ? i : 0);
      }
      last = node;
      guess = node.next;
      let byte = bytes[i]!;
      if (byte !== 0x2c && byte !== 0x7d) {
        i = skipSpace(bytes, i);
        byte = bytes[i]!;
      }
      if (byte === 0x7d) return i + 1;
      if (byte !== 0x2c) return source.fail(i, `',' or '}'`);
      i = skipSpace(bytes, i + 1);
    }
  }

  /** Gives the event the value again that the key had when it was read last; false if that is not to be had. */
  #repeat(node: KeyNode): boolean {
    const batch = this.#batch;
    const { field, column } = node;
    if (field === undefined || column === undefined || column.last !== node || field.row === batch.rows) return false;
    batch.begin(field);
    column.repeat(batch.rows);
    column.last = node;
    batch.end(field, column);
    node.repeated();
    return true;
  }

  /** Keeps what was read at `at` for {@link #repeat}: the key, and the value where comparing it pays; `end` is where it ended, or 0. */
  #remember(node: KeyNode, at: number, end: number): void {
    if (node.column !== undefined) node.credit--;
    const { field } = node;
    const worth = end > 0 && node.credit > 0 && field !== undefined && field.row === this.#batch.rows;
    const column = worth ? field.column : undefined;
    if (column !== undefined && column.repeats) {
      node.keep(at, end + 1 - at, column);
      column.last = node;
    } else if (node.column !== undefined || node.kept === 0) {
      node.keep(at, 0, undefined);
    }
  }

  #readObject(source: Source, node: KeyNode, at: number, depth: number): number {
    if (depth >= this.#depth) return this.#readNothing(source, node, at);
    const first = skipSpace(source.buffer, at + 1);
    if (source.buffer[first] !== 0x7d) return this.#readMembers(source, node, first, depth + 1);
    this.#storeEmptyObject(node);
    return first + 1;
  }

  /** A value that is no object. */
  #readValue(source: Source, node: KeyNode, at: number, depth: number): number {
    const batch = this.#batch;
    const byte = source.buffer[at]!;
    const field = (node.field ??= batch.field(node.name));
    if (byte === 0x22) {
      if ((field.allowed & TYPE_BIT.string) === 0) return this.#refuse(source, field, at, 'string');
      batch.begin(field);
      const column = field.stringColumn(batch.arena);
      const next = column.readJson(source, at + 1, batch.rows, this.#scratch, this.#longest);
      if (next >= 0) batch.end(field, column);
      return next;
    }
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.#readNumber(source, field, at);
    if (byte === 0x74 || byte === 0x66) {
      const next = skipWord(source, at, byte === 0x74 ? 'true' : 'false');
      if (next < 0) return next;
      if ((field.allowed & TYPE_BIT.boolean) === 0) {
        batch.refuse(field, 'boolean');
        return next;
      }
      batch.begin(field);
      const column = field.booleanColumn(batch.arena);
      column.pushBoolean(batch.rows, byte === 0x74);
      batch.end(field, column);
      return next;
    }
    if (byte === 0x6e) {
      batch.clear(field);
      return skipWord(source, at, 'null');
    }
    if (byte !== 0x5b) return source.fail(at, 'a value');
    if (depth >= this.#depth) return this.#readNothing(source, node, at);
    if ((field.allowed & TYPE_BIT.array) === 0) return this.#refuse(source, field, at, 'array');
    return this.#readWhole(source, field, at, depth, 'array');
  }

  #readNumber(source: Source, field: Field, at: number): number {
    const batch = this.#batch;
    const number = this.#number;
    const next = readNumber(source, at, number);
    if (next < 0) return next;
    if (number.kind === 'none') {
      batch.clear(field);
    } else if (number.kind === 'integer' && (field.allowed & TYPE_BIT.integer) !== 0) {
      batch.begin(field);
      const column = field.integerColumn(batch.arena);
      column.pushInteger(batch.rows, number.low, number.high);
      batch.end(field, column);
    } else if ((field.allowed & TYPE_BIT.float) !== 0) {
      batch.begin(field);
      const column = field.floatColumn(batch.arena);
      column.pushFloat(batch.rows, number.kind === 'integer' ? number.toFloat() : number.float);
      batch.end(field, column);
    } else {
      batch.refuse(field, number.kind);
    }
    return next;
  }

  /** Keeps the text of an array or object. */
  #readWhole(source: Source, field: Field, at: number, depth: number, type: 'array' | 'map'): number {
    const batch = this.#batch;
    source.repaired = false;
    const levels = this.#depth - depth;
    const next = skipValue(source, at, levels, this.#scratch);
    if (next < 0) return next;
    const text = this.#text;
    text.clear();
    if (source.repaired) writeRepaired(source, at, next, levels, text, this.#scratch);
    const repaired = source.repaired;
    const length = repaired ? text.end - text.start : next - at;
    if (length > this.#longest) {
      this.#storeTooLong(field, type);
      return next;
    }
    batch.begin(field);
    const column = type === 'array' ? field.arrayColumn(batch.arena) : field.mapColumn(batch.arena);
    if (repaired) column.push(batch.rows, text, text.start, length);
    else column.push(batch.rows, source, at, length);
    batch.end(field, column);
    return next;
  }

  /** An array or object over the limit becomes the string that says so. */
  #storeTooLong(field: Field, type: 'array' | 'map'): void {
    const batch = this.#batch;
    if ((field.allowed & TYPE_BIT.string) === 0) {
      batch.refuse(field, type);
      return;
    }
    batch.begin(field);
    const text = this.#text;
    text.clear();
    writeTooLong(text, text.start);
    const column = field.stringColumn(batch.arena);
    column.push(batch.rows, text, text.start, text.cursor - text.start);
    batch.end(field, column);
  }

  /** `{}` has no leaf to carry it, so its text is the value of the name it stands under. */
  #storeEmptyObject(node: KeyNode): void {
    const batch = this.#batch;
    const field = (node.field ??= batch.field(node.name));
    if ((field.allowed & (TYPE_BIT.array | TYPE_BIT.map)) === 0) {
      batch.refuse(field, 'map');
      return;
    }
    batch.begin(field);
    const column = field.arrayColumn(batch.arena);
    column.push(batch.rows, EMPTY_OBJECT, 0, EMPTY_OBJECT.buffer.length);
    batch.end(field, column);
  }

  /** A value below the deepest level counts as null. */
  #readNothing(source: Source, node: KeyNode, at: number): number {
    this.#batch.clear((node.field ??= this.#batch.field(node.name)));
    return this.skip(source, at);
  }

  #refuse(source: Source, field: Field, at: number, type: FieldType): number {
    this.#batch.refuse(field, type);
    return this.skip(source, at);
  }

  /** The value of a key that is not an ordinary field. */
  #readSpecial(source: Source, node: KeyNode, role: Exclude<Role, 'plain'>, at: number, depth: number): number {
    switch (role) {
      case 'time':
      case 'default-time':
        return this.#readTime(source, role === 'time', at);
      case 'too-long':
        if (source.buffer[at] !== 0x6e) this.#batch.dropLongName(node.name);
        return this.skip(source, at);
      case 'map': {
        if (source.buffer[at] !== 0x7b) return this.#readValue(source, node, at, depth);
        if (depth >= this.#depth) return this.#readNothing(source, node, at);
        const field = (node.field ??= this.#batch.field(node.name));
        if ((field.allowed & TYPE_BIT.map) === 0) return this.#refuse(source, field, at, 'map');
        return this.#readWhole(source, field, at, depth, 'map');
      }
    }
  }

  #readTime(source: Source, declared: boolean, at: number): number {
    const byte = source.buffer[at]!;
    if (byte === 0x22) {
      const text = this.#text;
      text.clear();
      const next = readText(source, at + 1, text);
      if (next >= 0) this.#time.setText(declared, text.buffer, text.start, text.cursor);
      return next;
    }
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const next = readNumber(source, at, this.#number);
      if (next < 0) return next;
      if (this.#number.kind === 'integer') this.#time.setInteger(declared, this.#number.toExact());
      else this.#time.setNumber(declared, source.text.toString('latin1', at, next));
      return next;
    }
    if (byte === 0x6e) {
      this.#time.clear(declared);
      return skipWord(source, at, 'null');
    }
    this.#time.setOther(declared, byte === 0x5b ? 'an array' : byte === 0x7b ? 'an object' : 'a boolean');
    return this.skip(source, at);
  }
}
