/**
 * Rules of this repository that no compiler checks: allowed imports, file sizes, and links in
 * documents.
 */
import './tidy/layer-rules.ts';
import './tidy/export-rules.ts';
import './tidy/size-rules.ts';
import './tidy/document-rules.ts';
import './tidy/comment-rules.ts';
import './tidy/word-rules.ts';
import './tidy/name-rules.ts';
