import { beforeAll } from 'vitest';
import type { Catalogue } from '../catalogue.js';
import { noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { goldenFiles } from '../testing/golden.js';
import { createSample } from '../testing/sample.js';

const engine = testEngine();
let catalogue: Catalogue = noDatasets;
beforeAll(() => {
  catalogue = createSample(engine);
});

goldenFiles(engine, import.meta.dirname, () => ({ catalogue }));
