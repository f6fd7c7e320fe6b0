import ffi from 'ffi-rs';

/*
 * A process that is a ClickHouse server: `clickhouse-process.mjs LIBRARY ARGUMENT…`. The engine's
 * library contains the program `clickhouse local`, which can serve the HTTP interface, and exports
 * a function that runs it. It needs a separate process, because a session of the engine cannot
 * serve.
 */

const [library, ...args] = process.argv.slice(2);
const argv = ['clickhouse', ...args];

// Ends when its parent ends in any way; it has only test data.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

function end(problem) {
  process.send({ problem }, () => process.kill(process.pid, 'SIGKILL'));
}

try {
  ffi.open({ library: 'engine', path: library });
  // In another thread, so that this one notices the parent's exit.
  await ffi.load({
    library: 'engine',
    funcName: 'chdb_query_cmdline',
    retType: ffi.DataType.I64,
    paramsType: [ffi.DataType.I32, ffi.DataType.StringArray],
    paramsValue: [argv.length, argv],
    runInNewThread: true,
  });
  end('it ended');
} catch (error) {
  const lacks = error instanceof Error && error.message.startsWith('Cannot find "chdb_query_cmdline"');
  end(lacks ? 'this build of the library has no entry point chdb_query_cmdline' : String(error));
}
