import { expect, it } from 'vitest';
import { elementTable } from '../elements/element-table.js';
import { pictureOf } from './kind-pictures.js';

it.each(Object.keys(elementTable))('%s has a picture and a sentence', (type) => {
  expect(pictureOf(type)).toBeDefined();
  expect(elementTable[type]!.about).toMatch(/^[A-Z].*\.$/);
});
