export { MemoryFileSystem, type Call, type Operation } from './memory-file-system.js';
export { seededRandom, type Random } from './random.js';
export { History, step, type Step } from './history.js';
