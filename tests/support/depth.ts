/**
 * Whether `npm run test:deep` runs. It runs before a release: it includes the long variants and
 * many seeds. `npm test` leaves out what takes long and what another test proves in a smaller way.
 */
export const isDeep = process.env['TEST_DEPTH'] === 'deep';

/** How many cases a test generates: `few` in `npm test`, `many` in `npm run test:deep`. */
export const caseCount = (few: number, many: number): number => (isDeep ? many : few);
