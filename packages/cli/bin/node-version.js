// Ends the process if Node is too old, before the build and the command load modules that need a
// newer one. `engines` in package.json only warns.
const least = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(`millrace: Node ${process.versions.node} is too old; install ${least.join('.')} or newer\n`);
  process.exit(1);
}
