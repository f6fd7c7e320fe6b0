/** Contrast by WCAG, distance in OKLab, and simulated color blindness. */

type Triple = readonly [number, number, number];

/** sRGB of `#rrggbb`, each 0 to 1. */
function parseHex(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

const linearOf = (hex: string): Triple => {
  const [red, green, blue] = parseHex(hex);
  return [linear(red), linear(green), linear(blue)];
};

const times = (matrix: readonly Triple[], [x, y, z]: Triple): Triple => {
  const [first, second, third] = matrix.map(([a, b, c]) => a * x + b * y + c * z);
  return [first!, second!, third!];
};

/** WCAG contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const luminance = (hex: string): number => {
    const [red, green, blue] = linearOf(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Simulates full color blindness after Machado, Oliveira and Fernandes (2009), on linear sRGB. */
export const visions: Readonly<Record<'normal' | 'protanopia' | 'deuteranopia' | 'tritanopia', readonly Triple[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const oklab = (rgb: Triple): Triple => {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  const roots: Triple = [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])];
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    roots,
  );
};

const within = (channel: number): number => Math.min(1, Math.max(0, channel));

/** Perceived distance of two colors: in OKLab, times 100. */
export function distance(one: string, other: string, vision: readonly Triple[]): number {
  const [a, b] = [one, other].map((hex) => {
    const [red, green, blue] = times(vision, linearOf(hex));
    return oklab([within(red), within(green), within(blue)]);
  });
  return 100 * Math.hypot(a![0] - b![0], a![1] - b![1], a![2] - b![2]);
}
