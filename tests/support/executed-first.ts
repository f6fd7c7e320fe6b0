/** The settings of a process that executes a program before its own. */
export const executedFirst = (program: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
});
