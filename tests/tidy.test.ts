/**
 * Rules of this repository that no compiler checks: who may import whom, how large files may grow,
 * and that links in documents lead somewhere.
 */
import './tidy/layer-rules.ts';
import './tidy/export-rules.ts';
import './tidy/size-rules.ts';
import './tidy/document-rules.ts';
