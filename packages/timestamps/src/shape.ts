/**
 * The shape of a timestamp: each run of digits, letters or spaces becomes one sign, a fraction of a
 * second is left out, and the rest stays. It is returned as a 32-bit hash, because it only narrows
 * down which layouts to try. A layout has the shape of the texts it reads.
 */
export function shapeOf(text: string): number {
  let hash = 0;
  let run = 0; // the sign of the current run
  let runLength = 0;
  let beforeRun = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const sign = isDigit(code) ? digits : (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? letters : code;
    if (sign === run && (sign === digits || sign === letters || sign === space)) {
      runLength++;
      continue;
    }
    if (
      (sign === period || sign === comma) &&
      endsSeconds(run, runLength, beforeRun) &&
      isDigit(text.charCodeAt(at + 1))
    ) {
      while (isDigit(text.charCodeAt(at + 1))) at++;
      continue;
    }
    hash = (Math.imul(hash, 31) + (sign === dash ? plus : sign)) | 0;
    beforeRun = run;
    run = sign;
    runLength = 1;
  }
  return hash;
}

const digits = 0x30;
const letters = 0x61;
const space = 0x20;
const period = 0x2e;
const comma = 0x2c;
const dash = 0x2d;
const plus = 0x2b;
const colon = 0x3a;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a run of digits ends in seconds: `…:05` or `…150405`. */
function endsSeconds(run: number, length: number, before: number): boolean {
  return run === digits && (before === colon || length === 6 || length === 14);
}
