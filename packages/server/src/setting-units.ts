/** Units of settings: bytes and milliseconds. */

export const KiB = 1024;
export const MiB = 1024 * KiB;
export const GiB = 1024 * MiB;
export const second = 1000;
export const minute = 60 * second;
