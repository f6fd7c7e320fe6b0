/**
 * Three nodes over one real ClickHouse server and one PostgreSQL database, each node a process. All
 * tests share them and run in this order: some read datasets of earlier ones, and the last leaves a
 * database of a newer version.
 */
import './nodes/resources.ts';
import './nodes/tails.ts';
import './nodes/receipts-and-deletion.ts';
import './nodes/backup.ts';
import './nodes/failures.ts';
import './nodes/ownership.ts';
import './nodes/rolling-upgrade.ts';
