import { engineContract } from './testing/contract.js';
import { openTestEngine } from './testing/engines.js';

engineContract('embedded', () => openTestEngine());
