const lineFeed = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === lineFeed || byte === 0x0d;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

const isMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf;

interface Member {
  readonly name: string;
  /** Name and value as written. */
  readonly text: string;
}

/** Name of a member, from its JSON. */
const nameIn = (text: string): string => {
  const name = parseItem(text);
  return typeof name === 'string' ? name : text;
};

/** @param text bytes as Latin-1, like all text here */
function parseItem(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

const onOneLine = (json: string): string => json.replaceAll(/[\r\n]+/g, ' ');

/** An event with the members that it does not have itself. */
function withMembers(json: string, members: readonly Member[]): string {
  if (members.length === 0 || !json.startsWith('{')) return json;
  const event = parseItem(json);
  if (typeof event !== 'object' || event === null) return json;
  const added = members.filter(({ name }) => !Object.hasOwn(event, name)).map(({ text }) => text);
  return `{${[...added, ...(Object.keys(event).length === 0 ? [] : [json.slice(1, -1)])].join(',')}}`;
}

/**
 * Finds the elements of one array of each object in a stream of JSON: objects one after the other,
 * on lines or in an array. Nothing is parsed that need not be, so numbers keep their digits.
 */
export class ListScanner {
  readonly #member: string;
  /** Arrays found. */
  lists = 0;
  /** Names of members after the array. */
  readonly late = new Set<string>();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #place: 'outside' | 'object' | 'list' = 'outside';
  /** Start of the object, its rest after the array, the element or other text; −1 between them. */
  #start = -1;
  /** Depth in the object or element. */
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** Of a member of the object: where it starts, its name, and whether its value is next. */
  #memberStart = -1;
  #name: string | undefined;
  /** Members before the array, of this object. */
  #before: Member[] = [];
  /** Whether the array of this object was passed. */
  #hasPassedList = false;

  constructor(member: string) {
    this.#member = member;
  }

  /** Members before the array, of the latest object. */
  get membersBefore(): number {
    return this.#before.length;
  }

  /** Bytes of the incomplete object or element. */
  get buffered(): number {
    return this.#bytes.byteLength;
  }

  /** Whether the end of an array is missing. */
  get isInside(): boolean {
    return this.#place === 'list' || this.#hasPassedList;
  }

  /** Events that are complete, each as a line: bytes as Latin-1, which keeps all of them. */
  scan(piece: Uint8Array): readonly string[] {
    const lines: string[] = [];
    this.#bytes = this.#bytes.byteLength === 0 ? Buffer.from(piece) : Buffer.concat([this.#bytes, piece]);
    for (; this.#at < this.#bytes.byteLength; this.#at++) {
      const byte = this.#bytes[this.#at]!;
      if (this.#inString) this.#passString(byte, lines);
      else if (this.#place === 'outside') this.#outside(byte, lines);
      else if (this.#place === 'object') this.#object(byte, lines);
      else this.#list(byte, lines);
    }
    this.#forget();
    return lines;
  }

  /** The incomplete rest, as it is, so that the server counts it as failed. */
  end(): string {
    const rest = this.#start < 0 || this.#hasPassedList ? '' : this.#text(this.#start);
    return rest.trim() === '' ? '' : `${onOneLine(rest)}\n`;
  }

  #passString(byte: number, lines: string[]): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#inString = false;
      if (this.#place === 'list' && this.#depth === 0) this.#endElement(lines, 1);
      else if (this.#place === 'object' && this.#depth === 1 && this.#name === undefined)
        this.#name = nameIn(this.#text(this.#memberStart, 1));
    }
  }

  /** Between objects. Other text is passed on, a line at a time. */
  #outside(byte: number, lines: string[]): void {
    if (this.#start >= 0) {
      if (byte !== lineFeed) return;
      lines.push(`${this.#text(this.#start)}\n`);
      this.#start = -1;
    } else if (byte === 0x7b) {
      this.#place = 'object';
      this.#start = this.#at;
      this.#depth = 1;
      this.#before = [];
      this.#hasPassedList = false;
      this.#nextMember();
    } else if (!isSpace(byte) && byte !== comma && byte !== 0x5b && byte !== 0x5d && !isMark(byte))
      this.#start = this.#at;
  }

  #object(byte: number, lines: string[]): void {
    if (byte === quote) {
      this.#inString = true;
      if (this.#depth === 1 && this.#memberStart < 0) this.#memberStart = this.#at;
    } else if (byte === 0x5b && this.#depth === 1 && this.#name === this.#member) {
      this.#place = 'list';
      this.lists++;
      this.#depth = 0;
      this.#start = -1;
    } else if (opens(byte)) this.#depth++;
    else if (closes(byte) && --this.#depth === 0) this.#endObject(lines);
    else if (byte === comma && this.#depth === 1) {
      this.#endMember();
      this.#nextMember();
    }
  }

  #list(byte: number, lines: string[]): void {
    if (this.#start >= 0 && this.#depth > 0) {
      if (byte === quote) this.#inString = true;
      else if (opens(byte)) this.#depth++;
      else if (closes(byte) && --this.#depth === 0) this.#endElement(lines, 1);
      return;
    }
    if (this.#start >= 0) {
      if (!isSpace(byte) && byte !== comma && byte !== 0x5d) return;
      this.#endElement(lines, 0);
    }
    if (byte === 0x5d) {
      this.#place = 'object';
      this.#start = this.#at;
      this.#depth = 1;
      this.#hasPassedList = true;
      this.#memberStart = -1;
      this.#name = undefined;
    } else if (!isSpace(byte) && byte !== comma) {
      this.#start = this.#at;
      this.#depth = opens(byte) ? 1 : 0;
      this.#inString = byte === quote;
    }
  }

  #nextMember(): void {
    this.#memberStart = -1;
    this.#name = undefined;
  }

  #endMember(): void {
    if (this.#memberStart < 0) return;
    const name = this.#name ?? '';
    if (this.#hasPassedList) this.late.add(name);
    else this.#before.push({ name, text: this.#text(this.#memberStart) });
  }

  #endObject(lines: string[]): void {
    this.#endMember();
    if (!this.#hasPassedList) lines.push(`${onOneLine(this.#text(this.#start, 1))}\n`);
    this.#place = 'outside';
    this.#start = -1;
    this.#hasPassedList = false;
  }

  #endElement(lines: string[], inclusive: 0 | 1): void {
    lines.push(`${onOneLine(withMembers(this.#text(this.#start, inclusive), this.#before))}\n`);
    this.#start = -1;
  }

  /** Text from `start` up to the current byte. */
  #text(start: number, inclusive: 0 | 1 = 0): string {
    return this.#bytes.toString('latin1', start, this.#at + inclusive);
  }

  /** Drops bytes before the incomplete object or element. */
  #forget(): void {
    const from = this.#start < 0 ? this.#at : this.#start;
    this.#bytes = this.#bytes.subarray(from);
    this.#at -= from;
    this.#start = this.#start < 0 ? -1 : 0;
    if (this.#memberStart >= 0) this.#memberStart -= from;
  }
}
