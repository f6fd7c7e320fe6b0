import type { ElementKind } from './element-kind.js';

export const spacer: ElementKind = {
  title: 'Spacer',
  about: 'Empty space across the dashboard.',
  size: [12, 1],
  asks: false,
  bare: true,
  starter: {},
  Draw: () => null,
};
