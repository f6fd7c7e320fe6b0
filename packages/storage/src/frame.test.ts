import { serializeBlock } from '@millrace/events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Frame, readFrame, writeFrame } from './frame.js';

const frame: fc.Arbitrary<Frame> = fc.record({
  datasetId: fc.nat(),
  arrival: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
  idempotency: fc.record({ key: fc.string({ minLength: 1, maxLength: 40 }), answer: fc.string() }),
  block: fc.constant({ rows: 2, columns: [{ name: '_time', type: "DateTime64(9,'UTC')", data: new Uint8Array(16) }] }),
});

describe('frames', () => {
  it('read back as they were written', () =>
    fc.assert(
      fc.property(frame, (written) => {
        const block = { ...written.block, serialized: serializeBlock(written.block) };
        expect(readFrame(new Uint8Array(Buffer.concat(writeFrame(written))))).toEqual({ ...written, block });
      }),
    ));

  it('of version 1 are read without the names they list', () =>
    fc.assert(
      fc.property(frame, (written) => {
        const [head, serialized] = writeFrame(written);
        const names = Buffer.from([2, 0, 0, 0, 3, 0, ...Buffer.from('a#s'), 6, 0, ...Buffer.from('größ')]);
        const old = Buffer.concat([head!, names, serialized!]);
        old.writeUInt8(1, 0);
        const block = { ...written.block, serialized: serializeBlock(written.block) };
        expect(readFrame(new Uint8Array(old))).toEqual({ ...written, block });
      }),
    ));

  it('of another version are refused', () =>
    expect(() => readFrame(Buffer.from([9, 0, 0, 0]))).toThrow('frame version 9'));
});
