import type { ElementKind } from './element-kind.js';

export const spacer: ElementKind = {
  title: 'Spacer',
  size: [12, 1],
  asks: false,
  bare: true,
  starter: {},
  Draw: () => null,
};
