import { eightBytes, lengthPrefixed, varint, WireReader } from '../bytes/wire-reader.js';

/** A value of a series; milliseconds. */
export interface WriteSample {
  readonly value: number;
  readonly time: number;
  /** The series ends: the value is the staleness marker. */
  readonly isEnd: boolean;
}

/** The bits of the NaN that ends a series; other NaNs are values. */
const staleBits = 0x7ff0_0000_0000_0002n;

/** Reads the fields of messages that both versions of remote write share. */
export class MessageReader {
  readonly #wire: WireReader;

  constructor(body: Uint8Array) {
    this.#wire = new WireReader(body);
  }

  get length(): number {
    return this.#wire.body.length;
  }

  /** The whole body. */
  get source(): Pick<WireReader, 'body' | 'words'> {
    return this.#wire;
  }

  /** The position of the next byte to read. */
  get at(): number {
    return this.#wire.at;
  }

  set at(position: number) {
    this.#wire.at = position;
  }

  /** Skips a message or text, with its tag. */
  skipPart(end: number, where: string): void {
    this.#wire.at = this.part(this.#wire.tag(end, where), end, where);
  }

  /**
   * Calls `read` for each field of a message, which it reads or leaves to be skipped.
   * @param read gets the number and tag; returns false for a field that it does not know
   */
  fields(end: number, name: string, read: (number: number, tag: number) => boolean): void {
    const wire = this.#wire;
    while (wire.at < end) {
      const tag = wire.tag(end, name);
      if (!read(tag >>> 3, tag)) wire.skip(tag, end, name);
    }
  }

  /** The end of a message or text that begins here. */
  part(tag: number, end: number, where: string): number {
    this.#wire.expect(tag, lengthPrefixed, where);
    return this.#wire.length(end, where);
  }

  text(tag: number, end: number, where: string): string {
    const stop = this.part(tag, end, where);
    const text = this.#wire.body.toString('utf8', this.#wire.at, stop);
    this.#wire.at = stop;
    return text;
  }

  double(tag: number, end: number, where: string): number {
    this.#wire.expect(tag, eightBytes, where);
    return this.#double(end, where);
  }

  #double = (end: number, where: string): number => this.#wire.words.getFloat64(this.#wire.take(8, end, where), true);

  /** A `double`, and whether it is the staleness marker, whose bits a number may lose. */
  doubleOrEnd(tag: number, end: number, where: string): readonly [number, boolean] {
    this.#wire.expect(tag, eightBytes, where);
    const at = this.#wire.take(8, end, where);
    const { words } = this.#wire;
    return [words.getFloat64(at, true), words.getBigUint64(at, true) === staleBits];
  }

  readUnsigned(tag: number, end: number, where: string): number {
    this.#wire.expect(tag, varint, where);
    return this.#readUnsigned(end, where);
  }

  #readUnsigned(end: number, where: string): number {
    this.#wire.varint(end, where);
    return this.#wire.high * 4_294_967_296 + this.#wire.low;
  }

  /** An `int64`. */
  readSigned(tag: number, end: number, where: string): number {
    this.readUnsigned(tag, end, where);
    return (this.#wire.high | 0) * 4_294_967_296 + this.#wire.low;
  }

  /** A `sint32` or `sint64`. */
  zigzag = (tag: number, end: number, where: string): number => unzigzag(this.readUnsigned(tag, end, where));

  /** Adds the elements of a list, which may be packed. */
  doubles(tag: number, end: number, where: string, to: number[]): void {
    this.#list(tag, end, where, eightBytes, (stop) => to.push(this.#double(stop, where)));
  }

  unsigneds(tag: number, end: number, where: string, to: number[]): void {
    this.#list(tag, end, where, varint, (stop) => to.push(this.#readUnsigned(stop, where)));
  }

  zigzags(tag: number, end: number, where: string, to: number[]): void {
    this.#list(tag, end, where, varint, (stop) => to.push(unzigzag(this.#readUnsigned(stop, where))));
  }

  #list(tag: number, end: number, where: string, wireType: number, element: (end: number) => void): void {
    if ((tag & 7) !== lengthPrefixed) {
      this.#wire.expect(tag, wireType, where);
      element(end);
      return;
    }
    const stop = this.part(tag, end, where);
    while (this.#wire.at < stop) element(stop);
  }

  sample(end: number): WriteSample {
    let [value, time] = [0, 0];
    let isEnd = false;
    this.fields(end, 'Sample', (number, tag) => {
      if (number === 1) [value, isEnd] = this.doubleOrEnd(tag, end, 'Sample.value');
      else if (number === 2) time = this.readSigned(tag, end, 'Sample.timestamp');
      else return false;
      return true;
    });
    return { value, time, isEnd };
  }
}

const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
