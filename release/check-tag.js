/**
 * Ends with an error if a tag is not the one of the version in the manifests:
 *
 *     node release/check-tag.js v0.1.0
 */
import { releaseVersion } from './version.js';

const [, , tag] = process.argv;
const expectedTag = `v${releaseVersion()}`;
if (tag !== expectedTag) {
  process.stderr.write(`The tag is ${tag}, the manifests have ${expectedTag}. Change the version or the tag.\n`);
  process.exitCode = 1;
}
